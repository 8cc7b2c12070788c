import { AppError, invalid } from '../errors'
import { ownTagOf } from './etag'

/**
 * The revision that a caller expects an object to have, from `If-Match: "<revision>"` (wire 7.1). Null without the
 * header and for `*`: then the last write wins. 400 `VALIDATION_ERROR` for another form.
 */
export function readIfMatch({ headers }: Request): number | null {
  const given = headers.get('if-match')?.trim()
  if (given === undefined || given === '*') return null
  const digits = /^"(\d{1,15})"$/.exec(ownTagOf(given))?.[1]
  if (digits === undefined) throw invalid('If-Match must be one revision in double quotes, such as "3"')
  return Number(digits)
}

/** The state of an object that another person has changed meanwhile. */
export interface Newer {
  revision: number
  /** The mail address of a user, or how the change was made. */
  updatedBy: string | null
  /** ISO 8601. */
  updatedAt: string | null
}

/** 409 `CONFLICT` when the object has another revision than the caller expects. */
export function refuseOtherRevision(expected: number | null, newer: Newer): void {
  if (expected === null || expected === newer.revision) return
  const message = 'Somebody has changed this meanwhile; read it again and repeat your change'
  throw new AppError('CONFLICT', { ...newer }, { message })
}
