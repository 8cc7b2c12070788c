import { readDecimal } from './decimal'
import { dividedBy, ONE, PAR, type Rate, readRate, times } from './rate'

/**
 * Where a rate comes from: `PACKAGE` is part of the executable. Of several rates for one day and currency, the one whose
 * source comes first here counts.
 */
export const RATE_SOURCES = ['LOADED', 'ECB', 'PACKAGE'] as const
export type RateSource = (typeof RATE_SOURCES)[number]

/**
 * The rates of one day from one source as they are stored: a JSON object of texts by currency. Of the central bank they
 * are units per euro, as it publishes them; others are dollars per unit (`writeRate`).
 */
export interface StoredDay {
  source: RateSource
  day: number
  rates: string
}

/** A rate with the day that it was stated for. */
export interface FoundRate {
  day: number
  rate: Rate
}

interface Span {
  first: number
  last: number
}

/** The days of one source, in ascending order. */
class Days {
  private readonly spans = new Map<string, Span | null>()

  constructor(
    readonly source: RateSource,
    private readonly numbers: readonly number[],
    private readonly texts: readonly string[],
  ) {}

  with(days: readonly StoredDay[]): Days {
    if (days.length === 0) return this
    const texts = new Map(this.numbers.map((day, index) => [day, this.texts[index] ?? '']))
    for (const { day, rates } of days) texts.set(day, rates)
    const numbers = [...texts.keys()].sort((a, b) => a - b)
    return new Days(
      this.source,
      numbers,
      numbers.map((day) => texts.get(day) ?? ''),
    )
  }

  find(currency: string, day: number): FoundRate | null {
    const span = this.span(currency)
    if (!span || day < span.first) return null
    // Not every day has every currency, and some are no longer quoted.
    for (let at = this.positionOf(Math.min(day, span.last)); at >= 0; at--) {
      const rate = this.rateAt(at, currency)
      if (rate) return { day: this.numbers[at] ?? day, rate }
    }
    return null
  }

  span(currency: string): Span | null {
    const known = this.spans.get(currency)
    if (known !== undefined) return known
    const name = nameIn(this.source, currency)
    // What is no code could match across the members of a text.
    const has = (text: string) => CODE.test(currency) && text.includes(name)
    const [first, last] = [this.numbers[this.texts.findIndex(has)], this.numbers[this.texts.findLastIndex(has)]]
    const span = first === undefined || last === undefined ? null : { first, last }
    this.spans.set(currency, span)
    return span
  }

  currencies(): Set<string> {
    const codes = new Set(
      this.texts.flatMap((text) => [...text.matchAll(/"([A-Z]{3})":/g)].map(([, code = '']) => code)),
    )
    if (this.source === 'ECB' && codes.delete('USD')) codes.add('EUR')
    return codes
  }

  private rateAt(at: number, currency: string): Rate | null {
    const text = this.texts[at] ?? ''
    if (this.source !== 'ECB') return readRate(memberOf(text, currency))
    const dividend = readDecimal(memberOf(text, 'USD'))
    const divisor = currency === 'EUR' ? ONE : readDecimal(memberOf(text, currency))
    return dividend && divisor && { dividend, divisor }
  }

  /** The position of the last day that is not after `day`; -1 when all are. */
  private positionOf(day: number): number {
    let [low, high] = [0, this.numbers.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.numbers[middle] ?? 0) <= day) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

const CODE = /^[A-Z]{3}$/

/** How a day that has the currency names it. The euro has the days that have the dollar: all of the central bank. */
const nameIn = (source: RateSource, currency: string): string =>
  `"${source === 'ECB' && currency === 'EUR' ? 'USD' : currency}":`

/** The text of a member, read without the others. Codes and rates have no escapes. Empty when there is none. */
function memberOf(json: string, name: string): string {
  const found = json.indexOf(`"${name}":"`)
  if (found < 0) return ''
  const start = found + name.length + 4
  return json.slice(start, json.indexOf('"', start))
}

/**
 * The known rates of all currencies at one moment. It never changes: `with` returns another table. A deployment has about
 * 200,000 rates, so the days stay texts, and a text is read when a rate of its day is needed.
 */
export class RateTable {
  static readonly EMPTY = new RateTable(RATE_SOURCES.map((source) => new Days(source, [], [])))

  /** In the order of the sources. */
  private constructor(private readonly sources: readonly Days[]) {}

  /** A table with these days as well. A day replaces the same day of its source. */
  with(days: readonly StoredDay[]): RateTable {
    return new RateTable(this.sources.map((own) => own.with(days.filter(({ source }) => source === own.source))))
  }

  /** The currencies that have a rate on any day, in the order of their codes. The dollar is not among them. */
  get currencies(): string[] {
    return [...new Set(this.sources.flatMap((own) => [...own.currencies()]))].sort()
  }

  /** Whether amounts of the currency can be converted, at least from some day on. */
  isKnownCurrency(currency: string): boolean {
    return currency === 'USD' || this.span(currency) !== null
  }

  /** The rate of the day or of the nearest earlier day that has one; null when there is none. */
  find(currency: string, day: number): FoundRate | null {
    if (currency === 'USD') return { day, rate: PAR }
    return this.newestOf(currency, day)?.found ?? null
  }

  /** Where the newest rate of a currency comes from; null when it has none. */
  sourceOf(currency: string): RateSource | null {
    return this.newestOf(currency, Number.POSITIVE_INFINITY)?.source ?? null
  }

  private newestOf(currency: string, day: number): { source: RateSource; found: FoundRate } | null {
    let newest: { source: RateSource; found: FoundRate } | null = null
    for (const own of this.sources) {
      const found = own.find(currency, day)
      if (found && (!newest || found.day > newest.found.day)) newest = { source: own.source, found }
    }
    return newest
  }

  /** The days of the first and the last rate of a currency; null when it has none. */
  span(currency: string): Span | null {
    const spans = this.sources.flatMap((own) => own.span(currency) ?? [])
    if (spans.length === 0) return null
    return { first: Math.min(...spans.map(({ first }) => first)), last: Math.max(...spans.map(({ last }) => last)) }
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
   * away from zero. Null without a rate.
   */
  convertUsd(usdMicros: number, currency: string, day: number): number | null {
    const found = this.find(currency, day)
    return found && dividedBy(usdMicros, found.rate)
  }
}
