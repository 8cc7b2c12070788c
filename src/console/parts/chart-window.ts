import type { Grain } from '../kit/charts/cells'
import { datesOf } from '../lib/intl'

const DAY = 86_400_000

export const RANGES = ['7d', '30d', '90d', '12m', '24m', 'month', 'lastMonth', 'year', 'lastYear'] as const
export const RANGES_AHEAD = ['next30d', 'next12m'] as const
export type Range = (typeof RANGES)[number] | (typeof RANGES_AHEAD)[number] | 'custom'

/** What the server is asked for. `to` is not included, and is left out when it is now. */
export interface Window {
  from: string
  to?: string
}

/** A calendar date of a zone, such as 2026-11-22. */
export const dateIn = (zone: string, at: number): string =>
  datesOf('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)

export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

const isDate = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** What an address names as a day, for a field of days; empty when it is none. */
export const dayIn = (params: URLSearchParams, name: string): string => {
  const text = params.get(name)
  return isDate(text) ? text : ''
}

/** First and last day as an address names them: other texts are left out, and the earlier day comes first. */
export function daysIn(params: URLSearchParams, first = 'from', last = 'to'): { from?: string; to?: string } {
  const [from, to] = [first, last].map((name) => dayIn(params, name) || undefined)
  const [a, b] = from !== undefined && to !== undefined && from > to ? [to, from] : [from, to]
  return { ...(a !== undefined && { from: a }), ...(b !== undefined && { to: b }) }
}

/** The first day of the month so many months away. */
export function monthStart(date: string, months: number): string {
  const [year = 0, month = 1] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
}

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to.slice(0, 10)}T00:00:00Z`) - Date.parse(`${from.slice(0, 10)}T00:00:00Z`)) / DAY)

/** The window of a named range, by the days of the project. */
export function windowOf(range: Range, today: string, custom: { from?: string; to?: string }): Window {
  const named: Record<Exclude<Range, 'custom'>, Window> = {
    '7d': { from: plusDays(today, -6) },
    '30d': { from: plusDays(today, -29) },
    '90d': { from: plusDays(today, -89) },
    '12m': { from: monthStart(today, -11) },
    '24m': { from: monthStart(today, -23) },
    month: { from: monthStart(today, 0) },
    lastMonth: { from: monthStart(today, -1), to: monthStart(today, 0) },
    year: { from: `${today.slice(0, 4)}-01-01` },
    lastYear: { from: `${Number(today.slice(0, 4)) - 1}-01-01`, to: `${today.slice(0, 4)}-01-01` },
    next30d: { from: today, to: plusDays(today, 30) },
    next12m: { from: today, to: monthStart(today, 12) },
  }
  if (range !== 'custom') return named[range]
  const from = custom.from || plusDays(today, -29)
  return { from, ...(custom.to && { to: plusDays(custom.to, 1) }) }
}

/** The grain that shows a window in 7 to 90 cells. */
export function usualGrain({ from, to }: Window, today: string): Grain {
  const days = daysBetween(from, to ?? plusDays(today, 1))
  if (days > 200) return 'month'
  return days > 70 ? 'week' : 'day'
}

/** Days can be shown for 400 days, everything for three years. */
export const grainsOf = ({ from, to }: Window, today: string): Grain[] =>
  daysBetween(from, to ?? plusDays(today, 1)) > 400 ? ['week', 'month'] : ['day', 'week', 'month']

/** The window of the same length before this one; as much of it as has passed of this one. */
export function windowBefore({ from, to }: Window, grain: Grain, now: number, today: string): Required<Window> {
  const end = to ?? new Date(now).toISOString()
  const last = to === undefined ? today : plusDays(to, -1)
  if (grain === 'month') {
    const months = monthsBetween(from, last) + 1
    return { from: byMonths(from, -months), to: byMonths(end, -months) }
  }
  const days = daysBetween(from, last) + 1
  const whole = grain === 'week' ? Math.ceil(days / 7) * 7 : days
  return { from: plusDays(from, -whole), to: byDays(end, -whole) }
}

/** The same window a year before, of weeks the same weeks. */
export function windowYearBefore({ from, to }: Window, grain: Grain, now: number): Required<Window> {
  const end = to ?? new Date(now).toISOString()
  const back = (at: string) => (grain === 'week' ? byDays(at, -364) : byMonths(at, -12))
  return { from: back(from), to: back(end) }
}

const monthsBetween = (from: string, to: string): number => {
  const [a, b] = [from, to].map((date) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)))
  return (b ?? 0) - (a ?? 0)
}

function byMonths(at: string, months: number): string {
  if (at.length === 10 && at.endsWith('-01')) return monthStart(at, months)
  const date = at.slice(0, 10)
  const first = monthStart(date, months)
  const day = Math.min(Number(date.slice(8)), daysBetween(first, monthStart(first, 1)))
  return `${first.slice(0, 8)}${String(day).padStart(2, '0')}${at.slice(10)}`
}

const byDays = (at: string, days: number): string => `${plusDays(at.slice(0, 10), days)}${at.slice(10)}`

/** The first instant of a date in a zone. */
export function instantIn(zone: string, date: string): number {
  const midnight = Date.parse(`${date.slice(0, 10)}T00:00:00Z`)
  if (date.length > 10) return Date.parse(date)
  const shown = datesOf('en-CA', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  }).formatToParts(midnight)
  const part = (type: string) => Number(shown.find((one) => one.type === type)?.value ?? 0)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
  return midnight - (local - midnight)
}
