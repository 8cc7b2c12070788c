import { DAY, HOUR } from './clock'

/** A day of a calendar; months count from 1. */
export interface LocalDay {
  year: number
  month: number
  day: number
}

/** Reads the day on which instants fall in a time zone. */
export type DayReader = (instant: number) => LocalDay

/** Building a reader is slow; reading with it is fast. */
export function dayReader(timezone: string): DayReader {
  const options = { timeZone: timezone, calendar: 'iso8601', numberingSystem: 'latn' } as const
  const format = new Intl.DateTimeFormat('en', { ...options, year: 'numeric', month: 'numeric', day: 'numeric' })
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
    return { year: parts.get('year') ?? 0, month: parts.get('month') ?? 0, day: parts.get('day') ?? 0 }
  }
}

/** No time zone is further away from UTC than this. */
const FARTHEST = 15 * HOUR

/**
 * The first instant of a day in a time zone. Where the clocks skip midnight, that is later than 0:00. Months and days
 * outside of their range count on: month 13 is the January after.
 */
export function startOfDay(read: DayReader, { year, month, day }: LocalDay): number {
  const midnight = Date.UTC(year, month - 1, day)
  let [before, from] = [midnight - FARTHEST, midnight + FARTHEST]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (numberOf(read(middle)) >= midnight) from = middle
    else before = middle
  }
  return from
}

/** 1 = Monday to 7 = Sunday. */
export const weekdayOf = (day: LocalDay): number => ((Math.floor(numberOf(day) / DAY) + 3) % 7) + 1

const numberOf = ({ year, month, day }: LocalDay): number => Date.UTC(year, month - 1, day)
