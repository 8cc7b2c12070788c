import { AppError } from '../../base/errors'
import type { IdempotencyRules } from '../../base/http/kept-answer'

/** For answers that show a secret once: nothing of them is kept for a repetition, and no guessable hash of a password. */
export const SHOWN_ONCE: IdempotencyRules = { rendersReplay: true, hidesBody: true }

/** 409 `CONFLICT` for the repetition of a call whose answer showed a secret. */
export function refuseRepetition(replayed: object | null): void {
  if (replayed === null) return
  const message = 'The first call with this Idempotency-Key succeeded; what it showed once is not kept'
  throw new AppError('CONFLICT', undefined, { message })
}
