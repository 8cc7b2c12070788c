/** What is wrong with a document, and where: `rules[2].value`. */
export interface Fault {
  path: string
  message: string
}

/** A fault whose message starts with its place: `pages[2].id must …`. */
export const faultAt = (path: string, message: string): Fault => ({ path, message: `${path} ${message}` })

/** The message of a thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
