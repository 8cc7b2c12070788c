import { DAY } from './clock'

const PERIOD = /^P(?!$)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,4})D)?$/

/** Whether `text` is an ISO 8601 period of whole years, months, weeks and days: `P1M`, `P2W`, `P1Y6M`. */
export const isPeriod = (text: string): boolean => PERIOD.test(text)

/**
 * The instant one period later in the UTC calendar. Months are added first and are cut to the length of the month they
 * reach: 31 January + `P1M` = 28 or 29 February. Weeks and days follow. Throws RangeError when `isPeriod` is false.
 */
export function addPeriod(instant: number, period: string): number {
  const match = PERIOD.exec(period)
  if (!match) throw new RangeError(`Not a period of years, months, weeks and days: ${period}`)
  const [years = 0, months = 0, weeks = 0, days = 0] = match.slice(1).map((count) => Number(count ?? 0))
  return addMonths(instant, years * 12 + months) + (weeks * 7 + days) * DAY
}

/** Months later, or earlier, in the UTC calendar; cut to the length of the month that it reaches. */
export function addMonths(instant: number, months: number): number {
  const date = new Date(instant)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + months
  const day = Math.min(date.getUTCDate(), lastDayOf(year, month))
  return Date.UTC(year, month, day) + timeOfDay(instant)
}

// Day 0 of a month is the last day of the month before it.
const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

const timeOfDay = (instant: number): number => ((instant % DAY) + DAY) % DAY
