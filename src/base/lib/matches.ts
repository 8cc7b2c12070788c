/** A compiled audience or condition; it never throws for a subject of its kind. */
export type Matches<Subject> = (subject: Subject) => boolean

/** Where compiled targeting comes from. A stored document that cannot be compiled throws, with the reason as message. */
export interface Matchers<Subject> {
  /** Null when the project has no such audience. */
  audience(id: string): Matches<Subject> | null
  conditions(document: unknown): Matches<Subject>
}

/** What is wrong with something written or stored, and at which place: `rules[2].value`. */
export interface Fault {
  path: string
  message: string
}

/** The sentence of something thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** Asks a closure that a stored document became: one that fails matches nobody, and its trouble is told. */
export function matchesOrTells<Subject>(
  matches: Matches<Subject>,
  subject: Subject,
  tell: (message: string) => void,
): boolean {
  try {
    return matches(subject)
  } catch (thrown) {
    tell(messageOf(thrown))
    return false
  }
}
