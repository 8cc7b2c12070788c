import { dividedBy, PAR, type Rate, times } from './rate'

/** Where a rate comes from. Of two rates for one day and currency, the loaded one counts. */
export const RATE_SOURCES = ['ECB', 'LOADED'] as const
export type RateSource = (typeof RATE_SOURCES)[number]

/** The rate of a currency on a day. */
export interface Quote {
  day: number
  currency: string
  source: RateSource
  rate: Rate
}

/** A rate with the day that it was stated for. */
export interface FoundRate {
  day: number
  rate: Rate
}

/**
 * The known rates of all currencies at one moment. It never changes: `with` returns another table. A currency keeps its
 * days in ascending order in arrays of numbers, because a deployment has about 200,000 rates.
 */
export class RateTable {
  static readonly EMPTY = new RateTable(new Map())

  private constructor(private readonly series: ReadonlyMap<string, Series>) {}

  /** A table with these rates as well. A rate replaces one of the same day and currency, unless that one was loaded. */
  with(quotes: readonly Quote[]): RateTable {
    const series = new Map(this.series)
    for (const [currency, own] of Map.groupBy(quotes, (quote) => quote.currency))
      series.set(currency, merge(series.get(currency), own))
    return new RateTable(series)
  }

  /** The currencies that have a rate on any day, in the order of their codes. The dollar is not among them. */
  get currencies(): string[] {
    return [...this.series.keys()].sort()
  }

  /** Whether amounts of the currency can be converted, at least from some day on. */
  isKnownCurrency(currency: string): boolean {
    return currency === 'USD' || this.series.has(currency)
  }

  /** The rate of the day or of the nearest earlier day that has one; null when there is none. */
  find(currency: string, day: number): FoundRate | null {
    if (currency === 'USD') return { day, rate: PAR }
    const series = this.series.get(currency)
    const at = series ? lastAtOrBefore(series.days, day) : -1
    return series && at >= 0 ? { day: series.days[at] ?? day, rate: rateOf(series, at) } : null
  }

  /** The days of the first and the last rate of a currency. */
  span(currency: string): { first: number; last: number } | null {
    const days = this.series.get(currency)?.days
    const [first, last] = [days?.[0], days?.at(-1)]
    return first === undefined || last === undefined ? null : { first, last }
  }

  /**
   * Micros of an amount in millionths of a dollar, by the rate of the day or the nearest earlier one; rounded half away
   * from zero. 349990000 TRY at 0.029 -> 10149710. Null without a rate: such an amount is left out and counted, and is
   * never zero.
   */
  toUsd(amountMicros: number, currency: string, day: number): number | null {
    const found = this.find(currency, day)
    return found && times(amountMicros, found.rate)
  }

  /**
   * Millionths of a dollar in micros of another currency, by the rate of the day or the nearest earlier one; rounded half
   * away from zero. For reports in another currency: each amount is converted by the day that it belongs to. Null without
   * a rate.
   */
  convertUsd(usdMicros: number, currency: string, day: number): number | null {
    const found = this.find(currency, day)
    return found && dividedBy(usdMicros, found.rate)
  }
}

interface Series {
  days: Int32Array
  dividends: Float64Array
  divisors: Float64Array
  /** Decimals of the dividend, then of the divisor, for each day. */
  decimals: Uint8Array
  isLoaded: Uint8Array
}

const seriesOf = (length: number): Series => ({
  days: new Int32Array(length),
  dividends: new Float64Array(length),
  divisors: new Float64Array(length),
  decimals: new Uint8Array(2 * length),
  isLoaded: new Uint8Array(length),
})

const rateOf = ({ dividends, divisors, decimals }: Series, at: number): Rate => ({
  dividend: { mantissa: dividends[at] ?? 1, decimals: decimals[2 * at] ?? 0 },
  divisor: { mantissa: divisors[at] ?? 1, decimals: decimals[2 * at + 1] ?? 0 },
})

function merge(held: Series | undefined, quotes: readonly Quote[]): Series {
  const byDay = new Map<number, Quote>()
  for (const quote of quotes)
    if (quote.source === 'LOADED' || byDay.get(quote.day)?.source !== 'LOADED') byDay.set(quote.day, quote)
  const added = [...byDay.values()].sort((a, b) => a.day - b.day)
  const kept = held ?? seriesOf(0)
  const length = kept.days.length + added.filter(({ day }) => positionOf(kept, day) < 0).length
  const merged = seriesOf(length)
  let [from, next] = [0, 0]
  for (let to = 0; to < length; to++) {
    const [quote, day] = [added[next], kept.days[from]]
    if (day !== undefined && (!quote || day < quote.day)) copy(kept, from++, merged, to)
    else if (quote) {
      next++
      const isReplaced = day === quote.day
      if (isReplaced && kept.isLoaded[from] === 1 && quote.source !== 'LOADED') copy(kept, from, merged, to)
      else put(quote, merged, to)
      if (isReplaced) from++
    }
  }
  return merged
}

function positionOf({ days }: Series, day: number): number {
  const at = lastAtOrBefore(days, day)
  return days[at] === day ? at : -1
}

function copy(from: Series, at: number, to: Series, position: number): void {
  to.days[position] = from.days[at] ?? 0
  to.dividends[position] = from.dividends[at] ?? 0
  to.divisors[position] = from.divisors[at] ?? 0
  to.decimals[2 * position] = from.decimals[2 * at] ?? 0
  to.decimals[2 * position + 1] = from.decimals[2 * at + 1] ?? 0
  to.isLoaded[position] = from.isLoaded[at] ?? 0
}

function put({ day, source, rate: { dividend, divisor } }: Quote, to: Series, position: number): void {
  to.days[position] = day
  to.dividends[position] = dividend.mantissa
  to.divisors[position] = divisor.mantissa
  to.decimals[2 * position] = dividend.decimals
  to.decimals[2 * position + 1] = divisor.decimals
  to.isLoaded[position] = source === 'LOADED' ? 1 : 0
}

/** The position of the last day that is not after `day`; -1 when all are. */
function lastAtOrBefore(days: Int32Array, day: number): number {
  let [low, high] = [0, days.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((days[middle] ?? 0) <= day) low = middle + 1
    else high = middle
  }
  return low - 1
}
