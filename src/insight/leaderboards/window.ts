import { dayReader, startOfDay, weekdayOf } from '../../base/lib/local-days'
import type { LeaderboardWindow } from './model'

/**
 * The instant from which a leaderboard counts: the beginning of the present day, week (from Monday) or month in a time
 * zone. Null for `all`.
 */
export function windowStart(window: LeaderboardWindow, timezone: string, now: number): number | null {
  if (window === 'all') return null
  const read = dayReader(timezone)
  const today = read(now)
  const { year, month, day } = today
  const back = { day: 0, week: weekdayOf(today) - 1, month: day - 1 }[window]
  return startOfDay(read, { year, month, day: day - back })
}
