import { type DayNumber, firstOfMonth, firstOfWeek, type LocalDays, localDays } from '../../base/lib/local-days'

export type Grain = 'day' | 'week' | 'month' | 'total'
export const GRAINS: readonly Grain[] = ['day', 'week', 'month', 'total']

/** A part of the window; `end` is no part of it. */
export interface Cell {
  start: number
  end: number
}

/** The cells of a window: calendar days, weeks from Monday on or months of a time zone. The first and the last are cut. */
export function cellsOf(from: number, to: number, grain: Grain, timezone: string): Cell[] {
  if (grain === 'total') return [{ start: from, end: to }]
  const days = localDays(timezone)
  const starts = [from]
  for (let next = nextStart(days, days.dayOf(from), grain); next.at < to; next = nextStart(days, next.day, grain))
    starts.push(next.at)
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? to }))
}

function nextStart(days: LocalDays, day: DayNumber, grain: Grain): { day: DayNumber; at: number } {
  const next = NEXT[grain](day)
  return { day: next, at: days.startOf(next) }
}

const NEXT: Record<Grain, (day: DayNumber) => DayNumber> = {
  day: (day) => day + 1,
  week: (day) => firstOfWeek(day) + 7,
  month: (day) => firstOfMonth(day, 1),
  total: () => Number.POSITIVE_INFINITY,
}
