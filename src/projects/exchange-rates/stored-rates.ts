import type { FileRate } from './csv-file'
import { readDecimal, writeDecimal } from './decimal'
import type { EuroDay } from './ecb-file'
import { ONE, type Rate, readRate, writeRate } from './rate'
import type { Quote, RateSource } from './rate-table'

/** The rates of one day from one source, as they are stored: what the central bank published, or dollars per unit. */
export interface RateDay {
  day: number
  rates: Readonly<Record<string, string>>
}

/** The central bank's day as it is stored: units per euro, by currency. */
export const toEuroRow = ({ day, perEuro }: EuroDay): RateDay => ({
  day,
  rates: Object.fromEntries([...perEuro].map(([currency, rate]) => [currency, writeDecimal(rate)])),
})

/** Loaded rates as they are stored: dollars per unit, by day and currency. */
export function toLoadedRows(rates: readonly FileRate[]): RateDay[] {
  const byDay = Map.groupBy(rates, ({ day }) => day)
  return [...byDay].map(([day, own]) => ({
    day,
    rates: Object.fromEntries(own.map(({ currency, rate }) => [currency, writeRate(rate)])),
  }))
}

/** The price of each currency of a day in dollars: dollars per euro, divided by units per euro. */
export function dollarRates({ line, day, perEuro }: EuroDay): FileRate[] {
  const dividend = perEuro.get('USD') ?? ONE // `ecbDays` refuses a day without it.
  const others = [...perEuro].filter(([currency]) => currency !== 'USD')
  return [
    { line, day, currency: 'EUR', rate: { dividend, divisor: ONE } },
    ...others.map(([currency, divisor]) => ({ line, day, currency, rate: { dividend, divisor } })),
  ]
}

/** The rates of a stored day. What cannot be read is left out: a conversion is then missing, and never wrong. */
export function quotesOf(source: RateSource, { day, rates }: RateDay): Quote[] {
  if (source === 'ECB') return euroQuotes(day, rates)
  return Object.entries(rates).flatMap(([currency, text]) => quote(source, day, currency, readRate(text)))
}

function euroQuotes(day: number, rates: RateDay['rates']): Quote[] {
  const dividend = readDecimal(rates.USD ?? '')
  if (!dividend) return []
  const euro: Quote = { source: 'ECB', day, currency: 'EUR', rate: { dividend, divisor: ONE } }
  const others = Object.entries(rates).flatMap(([currency, text]) => {
    const divisor = readDecimal(text)
    return currency === 'USD' ? [] : quote('ECB', day, currency, divisor && { dividend, divisor })
  })
  return [euro, ...others]
}

const quote = (source: RateSource, day: number, currency: string, rate: Rate | null): Quote[] =>
  rate ? [{ source, day, currency, rate }] : []
