import { invalid } from '../../base/errors'

const MAX_CHARS = 200

/** Checks the reason that a person gave. Events and the audit log repeat it. A blank text means no reason. */
export function checkReason(text: string | null): string | null {
  const reason = text?.trim() ?? ''
  if (reason.length > MAX_CHARS) throw invalid(`reason: at most ${MAX_CHARS} characters`)
  if (/\p{Cc}/u.test(reason) || !reason.isWellFormed()) throw invalid('reason: one line of plain text')
  return reason === '' ? null : reason
}
