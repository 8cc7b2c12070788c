import { formatMoney, formatNumber, formatShare, type Reading } from '../../lib/format'
import { numbersOf } from '../../lib/intl'

/** `count`, `share`, `ratio`, `ms`, or a currency whose amounts are in millionths. */
export type Unit = string

const WHOLE_FROM = 10_000_000_000

/** Whether amounts are so large that cents only tire the eye: 10,000 units or more. */
export const isLarge = (unit: Unit, values: readonly (number | null)[]): boolean =>
  isMoney(unit) && values.some((value) => value !== null && Math.abs(value) >= WHOLE_FROM)

export const isMoney = (unit: Unit): boolean => /^[A-Z]{3}$/.test(unit)

interface Options {
  whole?: boolean
  /** For axes. */
  compact?: boolean
  /** A plus before gains. */
  sign?: boolean
}

/** A value of a chart, as a person reads it. */
export function formatUnit(reading: Reading, unit: Unit, value: number, options: Options = {}): string {
  const text = plainText(reading, unit, value, options)
  return options.sign && value > 0 ? `+${text}` : text
}

function plainText(reading: Reading, unit: Unit, value: number, { whole = false, compact = false }: Options): string {
  if (isMoney(unit)) return formatMoney(reading, value, unit, { whole, compact })
  if (unit === 'share') return formatShare(reading, value)
  if (unit === 'ratio') return formatNumber(reading, value, 2)
  if (unit === 'ms') return formatDuration(reading, value)
  return formatNumber(reading, value, compact ? 1 : 2)
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** `1.4 days`, `3 min` */
export function formatDuration({ locale }: Reading, ms: number): string {
  const [unit, size] = UNITS.find(([, one]) => Math.abs(ms) >= one) ?? (['millisecond', 1] as const)
  return numbersOf(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 })
    .format(ms / size)
    .replace(/-/g, '−')
}

const PERIODS: Readonly<Record<string, string>> = { D: 'day', W: 'week', M: 'month', Y: 'year' }

/** `P1M` as `1 month`; another form of a period stays as it is. */
export function formatPeriod({ locale }: Reading, period: string): string {
  const [, count, letter = ''] = /^P(\d+)([DWMY])$/.exec(period) ?? []
  const unit = PERIODS[letter]
  return unit === undefined
    ? period
    : numbersOf(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(count))
}

/** The relative change, or null where there was nothing before. */
export const changeOf = (value: number, before: number): number | null =>
  before === 0 ? null : (value - before) / Math.abs(before)
