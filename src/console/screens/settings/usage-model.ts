import type { Schemas } from '../../api/schemas'
import { csvLine } from '../../lib/csv'

export type UsageMeter = Schemas['UsageMeter']
export type Period = Schemas['UsagePeriod']

const DAY = 86_400_000

/** How many days a month has. */
export const lengthOf = ({ start, end }: Period): number => Math.round((Date.parse(end) - Date.parse(start)) / DAY)

/** The place of the present day in the month, from 0; null when the month is over. */
export function todayIn({ start, end }: Period, now: number): number | null {
  return now >= Date.parse(start) && now < Date.parse(end) ? Math.floor((now - Date.parse(start)) / DAY) : null
}

export const dateOf = ({ start }: Period, index: number): string =>
  new Date(Date.parse(start) + index * DAY).toISOString().slice(0, 10)

/** The names of the last months, the present one first: `2026-11`. */
export function lastMonths(now: number, count: number): string[] {
  const date = new Date(now)
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)).toISOString().slice(0, 7),
  )
}

/** Over 80 % of what the plan includes is a warning; over all of it is bad. */
export function toneOf({ used, limit }: UsageMeter): 'plain' | 'warn' | 'bad' {
  if (limit === null || used * 5 <= limit * 4) return 'plain'
  return used > limit ? 'bad' : 'warn'
}

/** Percents with commas or spaces between them, ascending; null when they cannot be the marks of a budget. */
export function readPercents(text: string, most: number): number[] | null {
  const parts = text.split(/[\s,;%]+/).filter((part) => part !== '')
  const percents = parts.map((part) => (/^\d{1,4}$/.test(part) ? Number(part) : Number.NaN))
  const isUsable = percents.every((percent) => percent >= 1 && percent <= 1000)
  if (!isUsable || percents.length > most || new Set(percents).size < percents.length) return null
  return percents.sort((a, b) => a - b)
}

export const writePercents = (percents: readonly number[]): string => percents.join(', ')

/** A line for each day of the month that has started, with a column for each meter. */
export function usageCsv(period: Period, meters: readonly UsageMeter[], today: number | null): string[] {
  const count = today === null ? lengthOf(period) : today + 1
  const days = Array.from({ length: count }, (_, index) =>
    csvLine([dateOf(period, index), ...meters.map(({ daily }) => daily[index] ?? 0)]),
  )
  return [csvLine(['day', ...meters.map(({ name }) => name)]), ...days]
}
