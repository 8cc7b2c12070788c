import { Cron, CronPattern } from 'croner'
import { SECOND } from '../lib/clock'

/** Throws when a cron pattern is wrong. */
export const checkPattern = (pattern: string): unknown => new CronPattern(pattern)

export interface Instants {
  /** The last one of the pattern at or before now, or null. */
  latestAt: number | null
  /** The first one of the pattern after now; infinity when there is none. */
  nextAt: number
}

/** Reads a cron pattern in UTC. It is read anew each time: croner keeps 80 KB for each pattern. */
export function instantsOf(pattern: string, now: number): Instants {
  const cron = new Cron(pattern, { paused: true, utcOffset: 0 })
  // croner ignores the milliseconds and returns only instants before the given one.
  const after = Math.floor(now / SECOND) * SECOND + SECOND
  return {
    latestAt: cron.previousRuns(1, new Date(after))[0]?.getTime() ?? null,
    nextAt: cron.nextRun(new Date(now))?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}
