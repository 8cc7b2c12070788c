import { twoDecimals, unitsOf } from '../../money/money'
import type { PriceVariable } from '../variables'

export interface Money {
  amountMicros: number
  currency: string
}

export type PriceUnit = 'day' | 'week' | 'month' | 'year'

/** The price of a package, as `/public/funnels/:slug` has it. */
export interface PackagePrice {
  packageIdentifier: string
  productType: string
  name: string
  price: Money
  /** Null for what is paid once. */
  interval: PriceUnit | null
  intervalCount: number
  /** 0 = no trial. */
  trialDays: number
  /** What is due at once. */
  dueNow: Money
}

export function formatMoney({ amountMicros, currency }: Money, locale: string): string {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(unitsOf(amountMicros))
  } catch {
    return `${twoDecimals(amountMicros)} ${currency}` // A locale or currency that this runtime does not know.
  }
}

/** Of one unit, for a year of 365.25 days. */
const DAYS: Record<PriceUnit, number> = { day: 1, week: 7, month: 365.25 / 12, year: 365.25 }
const LENGTHS: Partial<Record<PriceVariable, PriceUnit>> = { perDay: 'day', perWeek: 'week', perMonth: 'month' }

/** What a period of another length would cost at this price, rounded to whole micros; null for what is paid once. */
export function priceFor(price: PackagePrice, unit: PriceUnit): Money | null {
  if (price.interval === null) return null
  const days = DAYS[price.interval] * price.intervalCount
  return { ...price.price, amountMicros: Math.round((price.price.amountMicros * DAYS[unit]) / days) }
}

/** The text of a price variable; null where the package has none. */
export function priceText(price: PackagePrice, part: PriceVariable, locale: string): string | null {
  if (part === 'total') return formatMoney(price.price, locale)
  if (part === 'trialDays') return price.trialDays > 0 ? String(price.trialDays) : null
  const money = priceFor(price, LENGTHS[part] ?? 'month')
  return money && formatMoney(money, locale)
}
