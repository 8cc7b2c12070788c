import { type DayNumber, type LocalDays, localDays } from './local-days'

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

const WEEK = 7
/** 1970-01-05, a Monday. */
const MONDAY = 4

const NEXT: Record<Grain, (day: DayNumber) => DayNumber> = {
  day: (day) => day + 1,
  week: (day) => Math.floor((day - MONDAY) / WEEK) * WEEK + MONDAY + WEEK,
  month: (day) => firstOfMonth(day, 1),
  total: () => Number.POSITIVE_INFINITY,
}

/** The first day of the month that is `months` after the month of a day. */
export function firstOfMonth(day: DayNumber, months: number): DayNumber {
  const date = new Date(day * 86_400_000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / 86_400_000
}
