import { HOUR, SECOND } from '../lib/clock'
import { sha256Hex } from '../lib/hash'

/** Waits between attempts: `baseMs` doubled with every failure, never above `capMs`. */
export interface Backoff {
  readonly baseMs: number
  readonly capMs: number
}

export const DEFAULT_BACKOFF: Backoff = { baseMs: 5 * SECOND, capMs: HOUR }

/**
 * Milliseconds to wait after the failed attempt number `attempt` (from 1): between half and all of `min(capMs, baseMs *
 * 2^(attempt-1))`. The place in this range is computed from the job's id, so that the same job always waits the same
 * time and jobs that failed together do not all run again together.
 */
export function backoffMs({ baseMs, capMs }: Backoff, jobId: string, attempt: number): number {
  const fullMs = Math.min(capMs, baseMs * 2 ** (attempt - 1))
  return Math.round((fullMs / 2) * (1 + fractionOf(`${jobId}.${attempt}`)))
}

/** A number from 0 to below 1, computed from the text. */
const fractionOf = (text: string): number => Number.parseInt(sha256Hex(text).slice(0, 8), 16) / 2 ** 32
