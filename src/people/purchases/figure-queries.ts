import { and, count, eq, gte, inArray, lt, type SQL, sql, sum } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { PurchaseStatus } from './model'

// These statements read many rows, so they run in `readInThread`.

type Purchases = Handle['tables']['purchases']

/** Which purchases or charges are counted. */
export interface FigureScope {
  projectId: string
  environment: PurchaseEnvironment
}

const isSubscription = (p: Purchases, { projectId, environment }: FigureScope, statuses: PurchaseStatus[]): SQL =>
  sql`${and(eq(p.projectId, projectId), inArray(p.status, statuses), eq(p.environment, environment))}
    and ${p.fold} ->> 'productType' = 'SUBSCRIPTION'`

const currencyOf = (p: Purchases) => sql<string | null>`${p.fold} -> 'price' ->> 'currency'`

const sumOfPrices = (p: Purchases) =>
  sql<string | number | null>`sum(cast(${p.fold} -> 'price' ->> 'amountMicros' as bigint))`

/** JSON is true as 1 in one database and as `true` in the other. */
const isTrue = (p: Purchases, name: 'autoRenews' | 'isTrial'): SQL =>
  sql`cast(${p.fold} ->> ${sql.raw(`'${name}'`)} as text) in ('true', '1')`

/** Numbers and prices of the subscriptions that run, by saved status, product and currency. */
export async function countRunning({ db, tables }: Handle, scope: FigureScope) {
  const { purchases: p } = tables
  const currency = currencyOf(p)
  return db
    .select({ status: p.status, productId: p.productId, currency, count: count(), micros: sumOfPrices(p) })
    .from(p)
    .where(isSubscription(p, scope, ['TRIAL', 'ACTIVE', 'GRACE_PERIOD', 'BILLING_RETRY']))
    .groupBy(p.status, p.productId, currency)
}

/** How many paid subscriptions ended from an instant on, by time, refund or revocation. */
export async function countEnded({ db, tables }: Handle, scope: FigureScope, from: number): Promise<number> {
  const { purchases: p } = tables
  const takenAt = sql`coalesce(cast(${p.fold} ->> 'refundedAt' as bigint), cast(${p.fold} ->> 'revokedAt' as bigint))`
  const endedAt = sql`case when ${p.status} = 'EXPIRED' then ${p.effectiveEnd} else ${takenAt} end`
  const isEnded = isSubscription(p, scope, ['EXPIRED', 'REFUNDED', 'REVOKED'])
  const [row] = await db
    .select({ count: count() })
    .from(p)
    .where(sql`${isEnded} and not ${isTrue(p, 'isTrial')} and ${endedAt} >= ${from}`)
  return row?.count ?? 0
}

/** Days since 1970 in UTC. */
const dayOf = (instant: Purchases['effectiveEnd'] | Handle['tables']['transactions']['occurredAt']) =>
  sql<string | number>`${instant} / ${sql.raw(String(DAY))}`

/** Subscriptions that will renew in a window, by the day of their end; the amounts of those in dollars. */
export async function countRenewals({ db, tables }: Handle, scope: FigureScope, from: number, to: number) {
  const { purchases: p } = tables
  const day = dayOf(p.effectiveEnd)
  const isDollar = sql`${currencyOf(p)} = 'USD'`
  const micros = sql<string | number | null>`sum(case when ${isDollar}
    then cast(${p.fold} -> 'price' ->> 'amountMicros' as bigint) end)`
  const isDue = and(isSubscription(p, scope, ['TRIAL', 'ACTIVE']), gte(p.effectiveEnd, from), lt(p.effectiveEnd, to))
  return db
    .select({ day, count: count(), micros })
    .from(p)
    .where(sql`${isDue} and ${isTrue(p, 'autoRenews')}`)
    .groupBy(day)
}

const linesIn = (
  { tables: { transactions: t } }: Handle,
  { projectId, environment }: FigureScope,
  from: number,
  to: number,
) => and(eq(t.projectId, projectId), gte(t.occurredAt, from), lt(t.occurredAt, to), eq(t.environment, environment))

/** Numbers and dollars of the charges of a window, by day. */
export async function sumByDay(handle: Handle, scope: FigureScope, from: number, to: number) {
  const { transactions: t } = handle.tables
  const day = dayOf(t.occurredAt)
  const found = handle.db.select({ day, count: count(), micros: sum(t.usdMicros) }).from(t)
  return found.where(linesIn(handle, scope, from, to)).groupBy(day)
}

/** Numbers and dollars of the charges of a window, by store. */
export async function sumByStore(
  handle: Handle,
  scope: FigureScope,
  from: number,
  to: number,
): Promise<{ store: Store; count: number; micros: string | null }[]> {
  const { transactions: t } = handle.tables
  const found = handle.db.select({ store: t.store, count: count(), micros: sum(t.usdMicros) }).from(t)
  return found.where(linesIn(handle, scope, from, to)).groupBy(t.store)
}
