import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { dayOf, readDate, toDate } from '../../projects/exchange-rates/day'
import { dividedBy, writeRate } from '../../projects/exchange-rates/rate'
import type { ProjectState } from '../../projects/project/state'
import { readKnownBefore } from './window'

/** The one rate that all money of an answer is converted with. */
export interface ReportRate {
  currency: string
  /** Exactly, as `1.0852`, or as `1.0852/162.03` where no decimal number is exact. */
  usdPerUnit: string
  /** The day that it is of. */
  date: string
  /** USD micros in micros of the currency, rounded half away from zero. */
  convert: (usdMicros: number) => number
}

/** As answers show it. */
export type ShownRate = Omit<ReportRate, 'convert'>

export const shownRate = ({ convert: _convert, ...rate }: ReportRate): ShownRate => rate

/** The currency that a query wants for its answer, as it is sent. */
export interface CurrencyQuery {
  currency?: string | undefined
  rateDate?: string | undefined
  knownAt?: string | undefined
}

/**
 * The rate of a report: of the day that is named, else of the last day that had ended, now or at `knownAt`; where that
 * day has none, of the nearest earlier one. Null = the report is in USD. 400 `VALIDATION_ERROR` when there is no rate.
 */
export async function findReportRate(
  ctx: Context,
  { settings, timezone }: ProjectState,
  query: CurrencyQuery,
): Promise<ReportRate | null> {
  const day = dayOfRate(ctx, timezone, query)
  const currency = query.currency ?? settings.reportCurrency
  if (currency === 'USD') return null
  const table = await ctx.state.exchangeRates.current(ctx)
  const found = table.find(currency, day)
  if (!found) throw invalid(`currency: ${missing(currency, day, table.isKnownCurrency(currency))}`)
  const { rate } = found
  return {
    currency,
    usdPerUnit: writeRate(rate),
    date: toDate(found.day),
    convert(usdMicros) {
      const micros = dividedBy(usdMicros, rate)
      if (micros === null) throw invalid(`currency: an amount is too large to be told in micros of ${currency}`)
      return micros
    },
  }
}

function dayOfRate(ctx: Context, timezone: string, { rateDate, knownAt }: CurrencyQuery): number {
  const knownBefore = readKnownBefore(knownAt, timezone) ?? Number.POSITIVE_INFINITY
  if (rateDate === undefined) return dayOf(Math.min(ctx.clock.now(), knownBefore)) - 1
  const day = readDate(rateDate)
  if (day === null) throw invalid('rateDate: a date such as 2026-11-20')
  return day
}

const missing = (currency: string, day: number, isKnown: boolean): string =>
  isKnown
    ? `no exchange rate of ${currency} is known for ${toDate(day)} or earlier; name a later rateDate, or USD`
    : `no exchange rate of ${currency} is known; load its rates with svc rates load, or ask in USD`
