import { firstOfMonth, firstOfWeek, localDays } from '../../base/lib/local-days'
import type { LeaderboardWindow } from './model'

/**
 * The instant from which a leaderboard counts: the start of the present day, week (from Monday) or month in a time
 * zone. Null for `all`.
 */
export function windowStart(window: LeaderboardWindow, timezone: string, now: number): number | null {
  if (window === 'all') return null
  const days = localDays(timezone)
  const today = days.dayOf(now)
  return days.startOf({ day: today, week: firstOfWeek(today), month: firstOfMonth(today) }[window])
}
