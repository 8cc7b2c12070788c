import type { FileRate } from './csv-file'
import { writeDecimal } from './decimal'
import type { EuroDay } from './ecb-file'
import { ONE, writeRate } from './rate'

/** The rates of one day of a file, in the form in which their source is stored (`StoredDay`). */
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
