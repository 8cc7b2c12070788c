import { DAY, HOUR, MINUTE } from '../../base/lib/clock'
import { dayOf, isWeekday, startOf, weekdayBefore, weekdaysBetween } from './day'

/** The central bank publishes around 16:00 in Frankfurt, which is 15:00 UTC in winter and 14:00 in summer. */
const PUBLISHED_AT = 15 * HOUR + 30 * MINUTE
/** Holidays of banks are not known here: on one, there is nothing new however often one asks. */
const PAUSE_MS = 5 * HOUR

/** How much of the central bank's history a file has. */
export type RateFileKind = 'hist' | 'hist-90d' | 'daily'

/** Calendar days that the file of 90 days covers for certain, with a few to spare. */
const SHORT_HISTORY_DAYS = 80

/** The day of the newest rate that should be published by now. */
export function expectedDay(now: number): number {
  const today = dayOf(now)
  return isWeekday(today) && now >= startOf(today) + PUBLISHED_AT ? today : weekdayBefore(today)
}

interface LastFetch {
  triedAt: number
  fault: string | null
}

/** Whether rates should be fetched now: some are missing, and the last answer is not so recent that it still holds. */
export function isDue(now: number, newestDay: number | null, last: LastFetch | null): boolean {
  if (newestDay !== null && newestDay >= expectedDay(now)) return false
  return !last || last.fault !== null || Math.abs(now - last.triedAt) >= PAUSE_MS
}

/** The smallest file that closes the gap since the newest stored day. */
export function fileFor(now: number, newestDay: number | null): RateFileKind {
  const today = dayOf(now)
  if (newestDay === null || today - newestDay > SHORT_HISTORY_DAYS) return 'hist'
  return weekdaysBetween(newestDay, today) > 0 ? 'hist-90d' : 'daily'
}

const STALE_MS = 72 * HOUR

/** Whether the newest rate is older than 72 h (wire 7.18). A rate is that of its day until the day ends in UTC. */
export const isStale = (now: number, newestDay: number): boolean => now - startOf(newestDay) - DAY > STALE_MS
