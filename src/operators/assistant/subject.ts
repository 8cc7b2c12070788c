/** How a person can be named in what the assistant keeps: by an id, or by a text of theirs. */
export interface Subject {
  ids: readonly string[]
  texts: readonly string[]
}

/** Shorter texts occur in others by chance. */
const MIN_TEXT = 3

/** The texts of a person that can be searched for, in lower case. */
export const usableTexts = ({ texts }: Subject): string[] =>
  texts.filter((text) => text.length >= MIN_TEXT).map((text) => text.toLowerCase())

/** Whether a text names a person. */
export function namesSubject(text: string, subject: Subject): boolean {
  const plain = text.toLowerCase()
  return subject.ids.some((id) => text.includes(id)) || usableTexts(subject).some((own) => plain.includes(own))
}
