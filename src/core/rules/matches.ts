import { messageOf } from '../text/fault'

/** A compiled audience or condition. It never throws for a subject of its type. */
export type Matches<Subject> = (subject: Subject) => boolean

/** Compiles stored targeting. Throws for a stored document that cannot be compiled; the message says why. */
export interface Matchers<Subject> {
  /** Null when the project has no such audience. */
  audience(id: string): Matches<Subject> | null
  conditions(document: unknown): Matches<Subject>
  /** Reads one attribute; undefined where it is missing. */
  attribute(name: string): (subject: Subject) => string | undefined
}

/** Wraps a compiled document: when it throws, the subject does not match and the fault is reported. */
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
