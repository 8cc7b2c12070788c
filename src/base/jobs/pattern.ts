import { Cron } from 'croner'
import { SECOND } from '../lib/clock'

/** A cron pattern read by croner, in UTC; throws when it is none. Nothing is scheduled by it. */
export const patternOf = (pattern: string): Cron => new Cron(pattern, { paused: true, utcOffset: 0 })

/** The last instant of the pattern at or before `now`, or null. */
export function latestInstant(pattern: Cron, now: number): number | null {
  // croner cuts the milliseconds and looks strictly before what it is given.
  const after = Math.floor(now / SECOND) * SECOND + SECOND
  return pattern.previousRuns(1, new Date(after))[0]?.getTime() ?? null
}

/** The first instant of the pattern after `instant`; infinity when there is none. */
export const nextInstant = (pattern: Cron, instant: number): number =>
  pattern.nextRun(new Date(instant))?.getTime() ?? Number.POSITIVE_INFINITY
