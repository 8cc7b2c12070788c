import type { Config } from '../../base/config'
import type { Handle } from '../../base/db/handle'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { Hooks } from '../../base/state'
import { toDate, weekdaysBetween } from './day'
import { findFetch, findNewestDay, listDayNumbers, listUpdates, spanOf } from './queries'
import { RATE_SOURCES, type RateSource, type RateTable } from './rate-table'
import { isStale } from './schedule'

/** A conversion of stored amounts after rates changed: what it looked at, and what it altered. */
export interface ConversionReport {
  updateId: string
  state: 'WAITING' | 'DONE'
  /** The first day whose amounts it looks at. */
  from: string
  startedAt: string
  finishedAt: string | null
  /** Charges that it has looked at, with what was given back of them. */
  checked: number
  changed: number
  currencies: readonly ConvertedCurrency[]
}

/** What a conversion altered in one currency. Sums are in millionths of a dollar, as digits. */
export interface ConvertedCurrency {
  currency: string
  changed: number
  /** How many of them had no amount in dollars before. */
  completed: number
  firstDay: string
  lastDay: string
  usdMicrosBefore: string
  usdMicrosAfter: string
}

/** What uses the rates, for the people who look after them. */
export interface RateUse {
  /** Transactions that have no amount in dollars, because their currency has no rate of their day or an earlier one. */
  waiting: { currency: string; transactions: number }[]
  conversions: ConversionReport[]
}

declare module '../../base/state' {
  interface SliceHooks {
    rateUse: (handle: Handle) => Promise<RateUse>
  }
}

const NOTHING_USED: RateUse = { waiting: [], conversions: [] }
const UPDATES_SHOWN = 10

/** Everything about the rates of a deployment, as `svc rates status --json` prints it. */
export async function rateStatus(
  handle: Handle,
  { config, hooks, now, table }: { config: Pick<Config, 'ratesUrl'>; hooks: Hooks; now: number; table: RateTable },
) {
  const newest = await newestDay(handle)
  const last = await findFetch(handle, 'ECB')
  const [use = NOTHING_USED] = await Promise.all((hooks.rateUse ?? []).map((report) => report(handle)))
  return {
    url: config.ratesUrl ?? 'off',
    newest: newest === null ? null : toDate(newest),
    isStale: newest !== null && isStale(now, newest),
    fetch: last && { triedAt: toIso(last.triedAt), succeededAt: toIsoOrNull(last.succeededAt), fault: last.fault },
    sources: (await Promise.all(RATE_SOURCES.map((source) => sourceStatus(handle, source)))).flat(),
    currencies: table.currencies.map((currency) => currencyStatus(table, currency)),
    gaps: gapsOf(await listDayNumbers(handle, 'ECB')),
    updates: (await listUpdates(handle, UPDATES_SHOWN)).map((row) => ({
      ...{ id: row.id, source: row.source, at: toIso(row.at), added: row.added, corrected: row.corrected },
      ...{ firstDay: toDate(row.firstDay), lastDay: toDate(row.lastDay), corrections: row.corrections },
    })),
    ...use,
  }
}

export type RateStatus = Awaited<ReturnType<typeof rateStatus>>

/** The day of the newest rate that was fetched or loaded; null when there is none. */
export async function newestDay(handle: Handle): Promise<number | null> {
  const days = await Promise.all((['LOADED', 'ECB'] as const).map((source) => findNewestDay(handle, source)))
  return days.reduce((latest, day) => (day !== null && (latest === null || day > latest) ? day : latest), null)
}

async function sourceStatus(handle: Handle, source: RateSource) {
  const span = await spanOf(handle, source)
  return span ? [{ source, first: toDate(span.first), newest: toDate(span.last), days: span.days }] : []
}

function currencyStatus(table: RateTable, currency: string) {
  const { first, last } = table.span(currency) ?? { first: 0, last: 0 }
  return { currency, first: toDate(first), newest: toDate(last), source: table.sourceOf(currency) }
}

/** Banks are closed on at most two weekdays in a row. */
const MOST_HOLIDAYS = 2

/** Where published rates are missing: pairs of days that have rates, with more weekdays between them than holidays. */
export const gapsOf = (days: readonly number[]): { after: string; before: string; weekdays: number }[] =>
  days.slice(1).flatMap((day, index) => {
    const earlier = days[index] ?? day
    const weekdays = weekdaysBetween(earlier, day)
    return weekdays > MOST_HOLIDAYS ? [{ after: toDate(earlier), before: toDate(day), weekdays }] : []
  })
