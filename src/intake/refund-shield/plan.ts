import { HOUR, MINUTE } from '../../base/lib/clock'
import type { ApiResult } from '../../stores/ios/api-client-answer'
import { MAX_DELAY_MINUTES, type RefundShieldSettings } from './settings'

// When to answer a request of the iOS store about a refund (wire 5.12).

/** The store decides without an answer when this time has passed since its request. */
export const ANSWER_WITHIN_MS = 12 * HOUR

export type RefundShieldStatus = 'PENDING' | 'SENT' | 'FAILED' | 'SKIPPED_NOT_FOUND' | 'SKIPPED_DISABLED'

/** A request of the store. */
export interface ConsumptionRequest {
  /** When the store made the request, by its own clock. */
  askedAt: number
  /** When the request arrived here. */
  detectedAt: number
  /** Whether the transaction belongs to a purchase of the project. */
  isKnown: boolean
}

/** What to do with a new request. */
export type RefundShieldPlan =
  | { status: 'PENDING'; dueAt: number }
  | { status: 'SKIPPED_NOT_FOUND' | 'SKIPPED_DISABLED' }
  | { status: 'FAILED'; error: 'SLA_EXCEEDED' }

/** Plans the answer to a request: it is sent after the project's delay, or not at all. */
export function planAnswer(
  settings: RefundShieldSettings,
  { askedAt, detectedAt, isKnown }: ConsumptionRequest,
): RefundShieldPlan {
  if (!mayAnswer(settings)) return { status: 'SKIPPED_DISABLED' }
  if (!isKnown) return { status: 'SKIPPED_NOT_FOUND' }
  // The request was fetched from the store's history, or replayed, after the store had decided.
  if (!isInTime(deadlineOf(askedAt), detectedAt)) return { status: 'FAILED', error: 'SLA_EXCEEDED' }
  const delayMinutes = Math.min(Math.max(settings.delayMinutes, 0), MAX_DELAY_MINUTES)
  return { status: 'PENDING', dueAt: detectedAt + delayMinutes * MINUTE }
}

/** Whether the project answers requests. The store rejects an answer without the customers' consent. */
export const mayAnswer = ({ enabled, customerConsented }: RefundShieldSettings): boolean => enabled && customerConsented

/** The last instant at which a request made at `instant` may be answered. */
export const deadlineOf = (instant: number): number => instant + ANSWER_WITHIN_MS

/** Whether an answer may still be sent. The deadline itself is in time. */
export const isInTime = (deadlineAt: number, now: number): boolean => now <= deadlineAt

/** The wait before each further attempt. */
const RETRIES_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR]
export const MAX_JITTER_MS = 30_000

export type RefundShieldFailure = 'SLA_EXCEEDED' | 'RETRIES_EXHAUSTED' | 'REJECTED'

export type RefundShieldStep =
  | { status: 'SENT' }
  | { status: 'PENDING'; dueAt: number }
  | { status: 'FAILED'; error: RefundShieldFailure }

export interface Attempt {
  /** Attempts made, this one included. */
  attempts: number
  deadlineAt: number
  now: number
  /** 0 to `MAX_JITTER_MS`, drawn by the caller. */
  jitterMs: number
}

/** What follows an attempt: no answer, 429 and 5xx are retried within the deadline; any other refusal is final. */
export function afterAttempt(
  result: ApiResult<null>,
  { attempts, deadlineAt, now, jitterMs }: Attempt,
): RefundShieldStep {
  if (result.ok) return { status: 'SENT' }
  if (result.kind === 'rejected') return { status: 'FAILED', error: 'REJECTED' }
  const wait = RETRIES_MS[attempts - 1]
  if (wait === undefined) return { status: 'FAILED', error: 'RETRIES_EXHAUSTED' }
  const dueAt = now + Math.max(wait, (result.retryAfter ?? 0) * 1000) + jitterMs
  return isInTime(deadlineAt, dueAt) ? { status: 'PENDING', dueAt } : { status: 'FAILED', error: 'SLA_EXCEEDED' }
}
