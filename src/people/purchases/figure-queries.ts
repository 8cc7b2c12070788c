import { and, count, eq, gte, inArray, lt, ne, type SQL, sql, sum } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { MINUTE } from '../../base/lib/clock'
import { LIVE_STATUSES, type PurchaseStatus, RENEWING_STATUSES } from '../../core/purchase/status'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import { NOBODY } from './unlisted-sales'

// These statements read many rows, so they run in `readInThread`.

type Purchases = Handle['tables']['purchases']

/** Which purchases or charges are counted. */
export interface FigureScope {
  projectId: string
  environment: PurchaseEnvironment
}

const isSubscription = (
  p: Purchases,
  { projectId, environment }: FigureScope,
  statuses: readonly PurchaseStatus[],
): SQL =>
  sql`${and(eq(p.projectId, projectId), inArray(p.status, statuses), eq(p.environment, environment))}
    and ${p.fold} ->> 'productType' = 'SUBSCRIPTION'`

const currencyOf = (p: Purchases) => sql<string | null>`${p.fold} -> 'price' ->> 'currency'`

const sumOfPrices = (p: Purchases) =>
  sql<string | number | null>`sum(cast(${p.fold} -> 'price' ->> 'amountMicros' as bigint))`

/** JSON is true as 1 in one database and as `true` in the other. */
const isTrue = (p: Purchases, name: 'autoRenews' | 'isTrial'): SQL =>
  sql`cast(${p.fold} ->> ${sql.raw(`'${name}'`)} as text) in ('true', '1')`

/** The number of running subscriptions by saved status; free grants apart. */
export async function countRunning({ db, tables }: Handle, scope: FigureScope) {
  const { purchases: p } = tables
  const isTrial = sql<number>`case when ${isTrue(p, 'isTrial')} then 1 else 0 end`
  const isGrant = sql<number>`case when ${p.store} = 'MANUAL' then 1 else 0 end`
  const rows = await db
    .select({ status: p.status, isTrial, isGrant, count: count() })
    .from(p)
    .where(isSubscription(p, scope, [...LIVE_STATUSES, 'BILLING_RETRY']))
    .groupBy(sql`1`, sql`2`, sql`3`)
  return rows.map((row) => ({ ...row, isTrial: Number(row.isTrial) === 1, isGrant: Number(row.isGrant) === 1 }))
}

/** Subscriptions that will renew within the same quarter of an hour, at prices of one currency. */
export interface DueRenewals {
  /** The start of the quarter. Every time zone starts its days with one. */
  from: number
  /** Null when their price is not known. */
  currency: string | null
  count: number
  micros: number
}

const QUARTER = 15 * MINUTE

const quarterOf = (
  instant: Handle['tables']['transactions']['occurredAt'] | Handle['tables']['purchases']['effectiveEnd'],
) => sql<string | number>`${instant} / ${sql.raw(String(QUARTER))}`

export async function dueRenewals(
  { db, tables }: Handle,
  scope: FigureScope,
  from: number,
  to: number,
): Promise<DueRenewals[]> {
  const { purchases: p } = tables
  const quarter = quarterOf(p.effectiveEnd)
  const currency = currencyOf(p)
  const isDue = and(isSubscription(p, scope, RENEWING_STATUSES), gte(p.effectiveEnd, from), lt(p.effectiveEnd, to))
  const rows = await db
    .select({ quarter, currency, count: count(), micros: sumOfPrices(p) })
    .from(p)
    .where(sql`${isDue} and ${ne(p.store, 'MANUAL')} and ${isTrue(p, 'autoRenews')}`)
    .groupBy(quarter, currency)
  return rows.map((row) => ({
    ...{ from: Number(row.quarter) * QUARTER, currency: row.currency },
    ...{ count: Number(row.count), micros: Number(row.micros ?? 0) },
  }))
}

/** Which charges are summed. */
export interface LineScope extends FigureScope {
  /** Whether unlisted sales count. */
  hasUnlisted: boolean
}

const linesIn = (
  { tables: { transactions: t } }: Handle,
  { projectId, environment, hasUnlisted }: LineScope,
  from: number,
  to: number,
) =>
  and(
    ...[eq(t.projectId, projectId), gte(t.occurredAt, from), lt(t.occurredAt, to), eq(t.environment, environment)],
    hasUnlisted ? undefined : ne(t.subscriberId, NOBODY),
  )

/** Charges within the same quarter of an hour. */
export interface QuarterSum {
  /** The start of the quarter. */
  from: number
  count: number
  micros: number
}

/** Numbers and dollars of the charges of a window, by quarters of an hour: every time zone starts its days with one. */
export async function sumByQuarter(handle: Handle, scope: LineScope, from: number, to: number): Promise<QuarterSum[]> {
  const { transactions: t } = handle.tables
  const quarter = quarterOf(t.occurredAt)
  const found = handle.db.select({ quarter, count: count(), micros: sum(t.usdMicros) }).from(t)
  const rows = await found.where(linesIn(handle, scope, from, to)).groupBy(quarter)
  return rows.map((row) => ({
    ...{ from: Number(row.quarter) * QUARTER, count: Number(row.count), micros: Number(row.micros ?? 0) },
  }))
}

/** Numbers and dollars of the charges of a window, by store. */
export async function sumByStore(
  handle: Handle,
  scope: LineScope,
  from: number,
  to: number,
): Promise<{ store: Store; count: number; converted: number; micros: string | null }[]> {
  const { transactions: t } = handle.tables
  const sums = { count: count(), converted: count(t.usdMicros), micros: sum(t.usdMicros) }
  const found = handle.db.select({ store: t.store, ...sums }).from(t)
  return found.where(linesIn(handle, scope, from, to)).groupBy(t.store)
}
