import { AppError } from '../../base/errors'
import { settlesWithin } from '../../base/jobs/within'
import { MINUTE, SECOND } from '../../base/lib/clock'

/** How long a request waits for a computation, which continues after it. */
const WAIT_MS = 6 * SECOND
/** A computation may take up to one part in so many of the time. */
const REST = 20

/** Whether what was computed at an instant may still be shown: for a minute, or longer where computing took long. */
export const isFresh = (computedAt: number | null, tookMs: number | null, now: number): boolean =>
  computedAt !== null && now >= computedAt && now < computedAt + Math.max(MINUTE, REST * (tookMs ?? 0))

/**
 * Waits for a while. With nothing earlier to show, it is 503 when it takes longer, and when ClickHouse is configured and
 * does not answer.
 */
export async function waitFor(work: Promise<void>, hasEarlier: boolean): Promise<void> {
  try {
    if ((await settlesWithin(work, WAIT_MS)) || hasEarlier) return
  } catch (error) {
    if (hasEarlier && isAway(error)) return
    throw error
  }
  throw notYet()
}

/** Whether the configured ClickHouse did not answer. */
export const isAway = (error: unknown): boolean =>
  error instanceof AppError && error.refusal === 'ANALYTICS_UNREACHABLE'

/** Something is shown for the first time, and computing it was not finished. */
export const notYet = (): AppError =>
  new AppError('DATABASE_UNAVAILABLE', undefined, { message: 'This is being computed for the first time; try again' })
