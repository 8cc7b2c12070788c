import { Cron } from 'croner'
import { SECOND } from '../lib/clock'

/** Reads a cron pattern in UTC with croner; throws when the pattern is wrong. Schedules nothing. */
export const patternOf = (pattern: string): Cron => new Cron(pattern, { paused: true, utcOffset: 0 })

/** The last instant of the pattern at or before `now`, or null. */
export function latestInstant(pattern: Cron, now: number): number | null {
  // croner ignores the milliseconds and returns only instants before the given one.
  const after = Math.floor(now / SECOND) * SECOND + SECOND
  return pattern.previousRuns(1, new Date(after))[0]?.getTime() ?? null
}

/** The first instant of the pattern after `instant`; infinity when there is none. */
export const nextInstant = (pattern: Cron, instant: number): number =>
  pattern.nextRun(new Date(instant))?.getTime() ?? Number.POSITIVE_INFINITY
