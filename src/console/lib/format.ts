import { unitsOf } from '../../core/money/money'
import { now } from './clock'
import { datesOf, dateTag, distancesOf, numbersOf } from './intl'

/** How a person reads numbers and times: the locale of the language, and the zone of the preferences or the project. */
export interface Reading {
  locale: string
  zone: string
}

const DAY = 86_400_000

const MINUS = /-/g

/** A count, with the separators of the language. */
export const formatNumber = ({ locale }: Reading, value: number, digits = 0): string =>
  numbersOf(locale, { maximumFractionDigits: digits }).format(value).replace(MINUS, '−')

/** A share between 0 and 1 as per cent with one digit. */
export const formatShare = ({ locale }: Reading, share: number, sign = false): string =>
  numbersOf(locale, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    ...(sign && { signDisplay: 'exceptZero' }),
  })
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
  const units = unitsOf(micros)
  const hasCents = Math.abs(units) < 1000 && !Number.isInteger(units)
  const format = numbersOf(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...(whole && { maximumFractionDigits: 0, minimumFractionDigits: 0 }),
    ...(compact && {
      notation: 'compact',
      maximumFractionDigits: hasCents ? 2 : 1,
      minimumFractionDigits: hasCents ? 2 : 0,
    }),
  })
  return format.format(units).replace(MINUS, '−')
}

/** `22 Nov 2026, 12:04`, day first in English, in the zone of the reader. */
export function formatTime(reading: Reading, at: string | number, withSeconds = false): string {
  return `${formatDay(reading, at)}, ${formatClock(reading, at, withSeconds)}`
}

export function formatClock({ locale, zone }: Reading, at: string | number, withSeconds = true): string {
  return datesOf(dateTag(locale), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
    ...(withSeconds && { second: '2-digit' }),
  }).format(new Date(at))
}

export function formatDay({ locale, zone }: Reading, at: string | number): string {
  const format = datesOf(dateTag(locale), { day: 'numeric', month: 'short', year: 'numeric', timeZone: zone })
  return format.format(new Date(at)).replace('Sept', 'Sep')
}

/** A calendar day `2026-11-22`, which belongs to no zone. */
export function formatDate({ locale }: Reading, date: string, withYear = true): string {
  const format = datesOf(dateTag(locale), {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(withYear && { year: 'numeric' }),
  })
  return format.format(new Date(`${date.slice(0, 10)}T00:00:00Z`)).replace('Sept', 'Sep')
}

/** `3 minutes ago`, `in 14 days`. Null when it is 30 days or more away: then the time itself is written. */
export function formatRelative({ locale }: Reading, at: string | number): string | null {
  const ms = new Date(at).getTime() - now()
  const away = Math.abs(ms)
  if (away >= 30 * DAY) return null
  const [unit, size] = UNITS.find(([, size]) => away >= size) ?? (['second', 1000] as const)
  return distancesOf(locale).format(Math.round(ms / size), unit)
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

/** Has the browser load what numbers and times of a language are written with: the first of each kind takes long. */
export function warmFormats(locale: string): void {
  const reading = { locale, zone: 'UTC' }
  const at = now()
  formatTime(reading, at)
  formatDate(reading, new Date(at).toISOString())
  formatRelative(reading, at)
  formatNumber(reading, 1)
  formatNumber(reading, 1, 2)
  formatShare(reading, 1, true)
  for (const compact of [true, false]) formatMoney(reading, 1, 'USD', { compact })
}
