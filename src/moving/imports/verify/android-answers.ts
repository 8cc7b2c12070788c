import { SECOND } from '../../../base/lib/clock'
import { reasonText } from '../../../core/reason/reasons'
import type { LookResult } from '../../../intake/android/fetch'
import type { CallRefusal } from '../../../stores/android/answer'
import type { Answer } from './model'

export const AWAY: Extract<Answer, { kind: 'AWAY' }> = {
  kind: 'AWAY',
  why: 'Google Play did not answer',
  isLimit: false,
  retryAfterMs: null,
}

const UNKNOWN = {
  not_found: 'Google Play does not know the purchase',
  not_paid: 'the purchase is not paid',
  cancelled: 'the purchase was cancelled before it was paid',
  mismatch: 'Google Play names no product of the purchase',
} as const

export function answerFor(result: Exclude<LookResult, { kind: 'found' }>): Answer {
  if (result.kind in UNKNOWN) return { kind: 'UNRECOGNISED', why: UNKNOWN[result.kind as keyof typeof UNKNOWN] } // The line above has checked it.
  if (result.kind === 'unreadable')
    return { kind: 'UNREADABLE', why: reasonText('ANSWER_UNREADABLE', { field: result.field }) }
  return refusalOf(result as CallRefusal) // The other kinds are those of a call.
}

export function refusalOf(refusal: CallRefusal): Answer {
  if (refusal.kind === 'not_found') return { kind: 'UNRECOGNISED', why: UNKNOWN.not_found }
  if (refusal.kind === 'unavailable') {
    const { why, status, retryAfter } = refusal
    const isLimit = status === 429 || why === 'circuit_open'
    return { ...AWAY, isLimit, retryAfterMs: retryAfter === undefined ? null : retryAfter * SECOND }
  }
  const { why, status, reason } = refusal
  const told = [status, reason].filter((one) => one !== null).join(' ')
  if (reason === 'applicationNotFound') return { kind: 'REFUSED', why: reasonText('PLAY_PACKAGE_UNKNOWN') }
  if (why === 'credentials')
    return { kind: 'REFUSED', why: reasonText('PLAY_REFUSED_ACCOUNT', { words: told || 'no access token' }) }
  return { kind: 'UNREADABLE', why: reasonText('PLAY_ANSWERED', { words: told }) }
}
