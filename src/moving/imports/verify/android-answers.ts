import { SECOND } from '../../../base/lib/clock'
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
  if (result.kind === 'unreadable') return { kind: 'UNREADABLE', why: `unreadable at ${result.field}` }
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
  if (reason === 'applicationNotFound') return { kind: 'REFUSED', why: 'Google Play does not know the package name' }
  if (why === 'credentials')
    return { kind: 'REFUSED', why: `Google Play refused the service account (${told || 'no access token'})` }
  return { kind: 'UNREADABLE', why: `Google Play answered ${told}` }
}
