import { DAY } from '../../base/lib/clock'
import { parseIso, toIso } from '../../base/lib/time'

/** The day of an instant in UTC, as days since 1970-01-01. Rates belong to such days. */
export const dayOf = (instant: number): number => Math.floor(instant / DAY)

export const startOf = (day: number): number => day * DAY

/** `2026-11-20`. */
export const toDate = (day: number): string => toIso(day * DAY).slice(0, 10)

/** The day of a date such as `2026-11-20`; null for any other text, and for a date that the calendar does not have. */
export function readDate(text: string): number | null {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? parseIso(`${text}T00:00:00Z`) : null
  return instant === null ? null : dayOf(instant)
}

/** Whether banks work on the day: Monday to Friday. 1970-01-01 was a Thursday. */
export const isWeekday = (day: number): boolean => (day + 3) % 7 < 5

/** The last weekday before a day. */
export function weekdayBefore(day: number): number {
  let before = day - 1
  while (!isWeekday(before)) before--
  return before
}

/** How many weekdays lie between two days, neither of them counted. */
export function weekdaysBetween(first: number, last: number): number {
  let count = 0
  for (let day = first + 1; day < last; day++) if (isWeekday(day)) count++
  return count
}
