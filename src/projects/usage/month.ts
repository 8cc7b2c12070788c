import { DAY } from '../../base/lib/clock'
import { type DayCounts, totalOf } from './meters'

/** A UTC month. */
export interface Month {
  /** `2026-11`. */
  name: string
  /** Its first instant, and the first one after it. */
  start: number
  end: number
}

/** The number of a UTC day: days since 1970. */
export const usageDay = (instant: number): number => Math.floor(instant / DAY)

export const monthOf = (instant: number): Month => {
  const date = new Date(instant)
  return monthFrom(date.getUTCFullYear(), date.getUTCMonth())
}

/** Null for a text that names no month: `2026-11` does. */
export function readMonth(text: string): Month | null {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text)
  return match ? monthFrom(Number(match[1]), Number(match[2]) - 1) : null
}

export const monthBefore = ({ start }: Month): Month => monthOf(start - 1)

function monthFrom(year: number, index: number): Month {
  const [start, end] = [Date.UTC(year, index), Date.UTC(year, index + 1)]
  return { name: new Date(start).toISOString().slice(0, 7), start, end }
}

/** The first and the last day of a month. */
export const daysOfMonth = ({ start, end }: Month): [first: number, last: number] => [
  usageDay(start),
  usageDay(end) - 1,
]

/** Entries of `dailyOf`: the days of the longest month. */
export const DAILY_LENGTH = 31

/** Of each day of a month, from its first; 0 for days to come and for days that the month does not have. */
export const dailyOf = (month: Month, counts: DayCounts): number[] =>
  Array.from({ length: DAILY_LENGTH }, (_, index) => counts.get(usageDay(month.start) + index) ?? 0)

/**
 * What a month will have used at its end when it continues as until now: what was used divided by the share of the month
 * that is over, rounded up. 100 after a quarter of the month gives 400.
 */
export function forecastOf({ start, end }: Month, counts: DayCounts, now: number): number {
  const used = totalOf(counts)
  const elapsed = Math.min(now, end) - start
  if (elapsed <= 0) return used
  // In exact integers: a quotient of numbers could be rounded up by an error of its last digit.
  const [length, share] = [BigInt(end - start), BigInt(elapsed)]
  const forecast = (BigInt(used) * length + share - 1n) / share
  return Number(forecast > MOST ? MOST : forecast)
}

const MOST = BigInt(Number.MAX_SAFE_INTEGER)
