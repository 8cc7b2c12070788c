import type { Mac } from '../../../base/lib/mac'

/** The kind of personal data that a mark replaces. */
export type MarkKind = 'email' | 'phone' | 'name' | 'ip' | 'device' | 'text'

/** Gives the mark of a personal text, the same one for the same text. */
export interface Marks {
  markOf(kind: MarkKind, text: string): string
}

/**
 * Marks for a caller of whom nothing is kept between two calls. Only this deployment can resolve them, and
 * only by trying texts; the marks of two projects or two people do not tell that a text is the same.
 */
export const keyedMarks = (mac: Mac, projectId: string, userId: string): Marks => ({
  markOf: (_kind, text) =>
    `person_${mac.sign(`${projectId} ${userId} ${text}`, 'assistant mark').replace(/[-_]/g, '').slice(0, 12)}`,
})
