import { now } from './clock'

/** How a person reads numbers and times: the locale of the language, and the zone of the preferences or the project. */
export interface Reading {
  locale: string
  zone: string
}

const DAY = 86_400_000

const cache = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>()

function kept<T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: () => T,
): T {
  const found = cache.get(key) as T | undefined
  if (found) return found
  const made = make()
  cache.set(key, made)
  return made
}

const MINUS = /-/g

/** A count, with the separators of the language. */
export const formatNumber = ({ locale }: Reading, value: number, digits = 0): string =>
  kept(`n${locale}${digits}`, () => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }))
    .format(value)
    .replace(MINUS, '−')

/** A share between 0 and 1 as per cent with one digit. */
export const formatShare = ({ locale }: Reading, share: number, sign = false): string =>
  kept(
    `%${locale}${sign}`,
    () =>
      new Intl.NumberFormat(locale, {
        style: 'percent',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
        ...(sign && { signDisplay: 'exceptZero' }),
      }),
  )
    .format(share)
    .replace(MINUS, '−')

interface MoneyOptions {
  /** Whole units, for sums over many. */
  whole?: boolean
  /** For axes: `$2K`. */
  compact?: boolean
}

/** Millionths of a currency as money, such as `$9.99` or `−₺1,250`. */
export function formatMoney({ locale }: Reading, micros: number, currency: string, options: MoneyOptions = {}): string {
  const { whole = false, compact = false } = options
  const format = kept(
    `m${locale}${currency}${whole}${compact}`,
    () =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        ...(whole && { maximumFractionDigits: 0, minimumFractionDigits: 0 }),
        ...(compact && { notation: 'compact', maximumFractionDigits: 1, minimumFractionDigits: 0 }),
      }),
  )
  return format.format(micros / 1_000_000).replace(MINUS, '−')
}

/** `22 Nov 2026, 12:04`, day first in English, in the zone of the reader. */
export function formatTime(reading: Reading, at: string | number, withSeconds = false): string {
  return `${formatDay(reading, at)}, ${formatClock(reading, at, withSeconds)}`
}

export function formatClock({ locale, zone }: Reading, at: string | number, withSeconds = true): string {
  return kept(
    `c${locale}${zone}${withSeconds}`,
    () =>
      new Intl.DateTimeFormat(tagOf(locale), {
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
        timeZone: zone,
        ...(withSeconds && { second: '2-digit' }),
      }),
  ).format(new Date(at))
}

export function formatDay({ locale, zone }: Reading, at: string | number): string {
  const format = kept(
    `d${locale}${zone}`,
    () => new Intl.DateTimeFormat(tagOf(locale), { day: 'numeric', month: 'short', year: 'numeric', timeZone: zone }),
  )
  return format.format(new Date(at)).replace('Sept', 'Sep')
}

/** A calendar day `2026-11-22`, which belongs to no zone. */
export function formatDate({ locale }: Reading, date: string, withYear = true): string {
  const format = kept(
    `D${locale}${withYear}`,
    () =>
      new Intl.DateTimeFormat(tagOf(locale), {
        day: 'numeric',
        month: 'short',
        timeZone: 'UTC',
        ...(withYear && { year: 'numeric' }),
      }),
  )
  return format.format(new Date(`${date.slice(0, 10)}T00:00:00Z`)).replace('Sept', 'Sep')
}

/** `3 minutes ago`, `in 14 days`. Null when it is 30 days or more away: then the time itself is written. */
export function formatRelative({ locale }: Reading, at: string | number): string | null {
  const ms = new Date(at).getTime() - now()
  const away = Math.abs(ms)
  if (away >= 30 * DAY) return null
  const [unit, size] = UNITS.find(([, size]) => away >= size) ?? (['second', 1000] as const)
  return kept(`r${locale}`, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })).format(
    Math.round(ms / size),
    unit,
  )
}

const UNITS = [
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

export const formatBytes = (reading: Reading, bytes: number): string => {
  const [size, unit] = (
    [
      [1e9, 'GB'],
      [1e6, 'MB'],
      [1e3, 'KB'],
    ] as const
  ).find(([size]) => bytes >= size) ?? [1, 'B']
  return `${formatNumber(reading, bytes / size, size > 1 ? 1 : 0)} ${unit}`
}

// English dates are written with the day first.
const tagOf = (locale: string): string => (locale === 'en' ? 'en-GB' : locale)
