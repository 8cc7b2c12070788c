import { HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import type { AttemptResult } from './model'

/** The waits before the ten attempts of a webhook and of a forward, in milliseconds (wire 5.10). */
export const WEBHOOK_WAITS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** The waits before the five attempts of an integration, in milliseconds (wire 5.10). */
export const INTEGRATION_WAITS: readonly number[] = [0, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR]

const JITTER = 0.1
const MAX_RETRY_AFTER_MS = 24 * HOUR

export type Outcome =
  | { status: 'SUCCEEDED' }
  /** `dueAt`: when the next attempt starts. */
  | { status: 'FAILED'; dueAt: number }
  | { status: 'DEAD'; isGone: boolean }
  | { status: 'SKIPPED' }

interface Attempt {
  result: AttemptResult
  /** 1 for the first. */
  attempt: number
  waitsMs: readonly number[]
  /** Unix milliseconds. */
  now: number
  /** Between 0 and 1; moves the next attempt by up to a tenth of its wait, earlier or later. */
  chance: number
  isTest: boolean
}

/**
 * What an attempt means for its delivery (wire 5.10). 410 ends it at once; everything but success is tried again until
 * the last wait is used up. A delivery that is only a test is not tried again.
 */
export function outcomeOf({ result, attempt, waitsMs, now, chance, isTest }: Attempt): Outcome {
  if (result.kind === 'skip') return { status: 'SKIPPED' }
  if (result.kind === 'dead') return { status: 'DEAD', isGone: false }
  if (result.kind === 'answer' && result.status >= 200 && result.status < 300) return { status: 'SUCCEEDED' }
  if (result.kind === 'answer' && result.status === 410) return { status: 'DEAD', isGone: !isTest }
  const waitMs = waitsMs[attempt]
  if (isTest || waitMs === undefined) return { status: 'DEAD', isGone: false }
  const scheduled = now + Math.round(waitMs * (1 + JITTER * (2 * chance - 1)))
  return { status: 'FAILED', dueAt: Math.max(scheduled, retryAfter(result, now) ?? scheduled) }
}

/** The instant before which a receiver that answered 429 or 503 wants no other attempt, at most a day away. */
function retryAfter(result: AttemptResult, now: number): number | null {
  if (result.kind !== 'answer' || (result.status !== 429 && result.status !== 503)) return null
  const text = result.headers.get('retry-after')?.trim() ?? ''
  const wanted = /^\d{1,9}$/.test(text) ? now + Number(text) * SECOND : Date.parse(text)
  return Number.isNaN(wanted) ? null : Math.min(wanted, now + MAX_RETRY_AFTER_MS)
}
