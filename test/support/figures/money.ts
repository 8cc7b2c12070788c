import { compareText, type Rate } from './history'

/** A quotient of whole numbers; `below` is positive. */
export interface Fraction {
  above: bigint
  below: bigint
}

/** The nearest whole number; a half goes away from zero: 5/2 gives 3, -5/2 gives -3. */
export function rounded({ above, below }: Fraction): bigint {
  const size = (2n * (above < 0n ? -above : above) + below) / (2n * below)
  return above < 0n ? -size : size
}

export const times = (amount: bigint, { above, below }: Fraction): bigint => rounded({ above: amount * above, below })

/** The exact value of a decimal number: `1.25` is 125/100. */
export function decimal(text: string): Fraction {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new RangeError(`Not a decimal number: ${text}`)
  const [, whole = '', rest = ''] = match
  return { above: BigInt(whole + rest), below: 10n ** BigInt(rest.length) }
}

/** The rate of the day or the nearest earlier one; of two for one day the last one. Null = there is none. */
function rateOn(rates: readonly Rate[], currency: string, day: string): Fraction | null {
  if (currency === 'USD') return { above: 1n, below: 1n }
  let nearest: Rate | null = null
  for (const rate of rates) {
    if (rate.currency !== currency || compareText(rate.day, day) > 0) continue
    if (!nearest || compareText(rate.day, nearest.day) >= 0) nearest = rate
  }
  return nearest && decimal(nearest.usdPerUnit)
}

/** Micros of dollars by the rate of a UTC day; null when there is no rate. */
export function usdOf(rates: readonly Rate[], currency: string, day: string, micros: bigint): bigint | null {
  const rate = rateOn(rates, currency, day)
  return rate && times(micros, rate)
}

/** Days of a period that has no name, and the name that fits: metrics of the wire specification, 5.11. */
const LENGTHS: [least: number, most: number, period: string][] = [
  [5, 9, 'P1W'],
  [26, 32, 'P1M'],
  [58, 63, 'P2M'],
  [88, 94, 'P3M'],
  [178, 187, 'P6M'],
  [360, 370, 'P1Y'],
]

/** The period that lasts this many days; null when none does. */
export const periodOfDays = (days: number): string | null =>
  LENGTHS.find(([least, most]) => least <= days && days <= most)?.[2] ?? null

/**
 * What a price of a period is multiplied with to become the price of a month. A year has 12 months, 52 weeks and 365
 * days. Null = the text is no period.
 */
export function monthlyFactor(period: string): Fraction | null {
  const match = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/.exec(period)
  if (!match) return null
  const [years = 0n, months = 0n, weeks = 0n, days = 0n] = match.slice(1).map((count) => BigInt(count ?? '0'))
  // A month has 52/12 weeks and 365/12 days. All parts are counted in the greatest unit that divides them evenly.
  const unitsOfAMonth = 52n * 365n
  const units = (years * 12n + months) * unitsOfAMonth + weeks * 12n * 365n + days * 12n * 52n
  return units === 0n ? null : { above: unitsOfAMonth, below: units }
}
