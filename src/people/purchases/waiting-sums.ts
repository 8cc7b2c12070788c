import {
  and,
  count,
  countDistinct,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  lt,
  lte,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Store } from '../../stores/observation'
import { listByIds, type PurchaseRow } from './queries'
import { listSalesById, NOBODY, toUnownedPurchase } from './unlisted-sales'
import { type Awaited, type AwaitedSpan, KINDS, type Kind, waitingOf } from './waiting-queries'

// What is known of the purchases that wait for a product, by the store product that they name.

export interface WaitingSums {
  storeProductId: string
  /** Of people. One of which only money lines wait is counted too. */
  purchases: number
  people: number
  sales: number
  /** In production, of the amounts known in dollars. */
  usdMicros: number
  /** Money lines in production without an amount in dollars. */
  unconverted: number
  /** When the first and the last of them were bought, whenever they were recorded. */
  firstAt: number
  lastAt: number
}

/** The sums of each store product of a span, in the order of their ids. One that only erased sales name is left out. */
export async function sumWaiting(handle: Handle, projectId: string, span: Bounded): Promise<WaitingSums[]> {
  const sums = new Map<string, WaitingSums>()
  const parts = [
    ...(await sumOwned(handle, projectId, span)),
    ...(await sumSales(handle, projectId, span)),
    ...(await sumMoney(handle, projectId, span)),
  ]
  for (const { id, ...part } of parts) if (id !== null) sums.set(id, added(sums.get(id) ?? nothingOf(id), part))
  return [...sums.values()]
    .filter(({ purchases, sales }) => purchases + sales > 0)
    .sort((a, b) => (a.storeProductId < b.storeProductId ? -1 : 1))
}

type Bounded = AwaitedSpan & { until: string }
type Part = Partial<Omit<WaitingSums, 'storeProductId' | 'firstAt' | 'lastAt'>> & {
  firstAt?: number | null
  lastAt?: number | null
}

const nothingOf = (storeProductId: string): WaitingSums => ({
  ...{ storeProductId, purchases: 0, people: 0, sales: 0, usdMicros: 0, unconverted: 0 },
  ...{ firstAt: Number.POSITIVE_INFINITY, lastAt: 0 },
})

const added = (sum: WaitingSums, { firstAt, lastAt, ...part }: Part): WaitingSums => ({
  ...sum,
  ...part,
  firstAt: Math.min(sum.firstAt, firstAt ?? Number.POSITIVE_INFINITY),
  lastAt: Math.max(sum.lastAt, lastAt ?? 0),
})

const isWithin = (tables: Handle['tables'], kind: Kind, projectId: string, { store, from, until }: Bounded) => {
  const { table, isWaiting } = waitingOf(tables, kind)
  const { storeProductId: id } = table
  return and(eq(table.projectId, projectId), eq(table.store, store), isWaiting, gte(id, from), lte(id, until))
}

const isWaitingPurchase = (tables: Handle['tables'], projectId: string, { store }: Bounded) => {
  const { table, isWaiting } = waitingOf(tables, 'PURCHASE')
  return and(eq(table.projectId, projectId), eq(table.store, store), isWaiting)
}

/** A purchase that waits itself and has money lines that do counts once, and so does its owner. */
async function sumOwned({ db, tables }: Handle, projectId: string, span: Bounded) {
  const { purchases: p, transactions: t } = tables
  const waiting = db
    .select({ id: p.storeProductId, ownerId: p.subscriberId, boughtAt: boughtAt(p).as('bought_at') })
    .from(p)
    .where(isWithin(tables, 'PURCHASE', projectId, span))
  // Each part is read from an index alone: most lines are of a purchase that waits for the same product.
  const isSame = and(eq(p.storeProductId, t.storeProductId), eq(p.id, t.purchaseId))
  const itself = db
    .select({ id: p.id })
    .from(p)
    .where(and(isWaitingPurchase(tables, projectId, span), isSame))
  const lines = db
    .selectDistinct({ id: t.storeProductId, purchaseId: t.purchaseId })
    .from(t)
    .where(and(isWithin(tables, 'LINE', projectId, span), notExists(itself)))
    .as('lines')
  // Such a purchase is of another product now: its lines say when it was of this one.
  const others = db
    .select({ id: lines.id, ownerId: p.subscriberId, boughtAt: sql<number>`cast(null as bigint)`.as('bought_at') })
    .from(lines)
    .innerJoin(p, eq(p.id, lines.purchaseId))
  const owned = waiting.unionAll(others).as('owned')
  return db
    .select({
      ...{ id: owned.id, purchases: count(), people: countDistinct(owned.ownerId) },
      ...timesOf(owned.boughtAt),
    })
    .from(owned)
    .groupBy(owned.id)
}

const boughtAt = ({
  fold,
}: {
  fold: Handle['tables']['purchases']['fold'] | Handle['tables']['unlistedSales']['fold']
}) => sql<number>`cast(${fold} ->> 'purchaseDate' as bigint)`

const timesOf = (at: SQL | SQL.Aliased) => ({
  firstAt: sql<number | null>`min(${at})`.mapWith(Number),
  lastAt: sql<number | null>`max(${at})`.mapWith(Number),
})

function sumSales({ db, tables }: Handle, projectId: string, span: Bounded) {
  const { unlistedSales: u } = tables
  return db
    .select({ id: u.storeProductId, sales: count(), ...timesOf(boughtAt(u)) })
    .from(u)
    .where(isWithin(tables, 'SALE', projectId, span))
    .groupBy(u.storeProductId)
}

const NO_CHARGES = ['REFUND', 'CHARGEBACK', 'REFUND_REVERSAL'] as const

/** The money of sales whose buyer was erased stays; no product can be given to it. */
function sumMoney({ db, tables }: Handle, projectId: string, span: Bounded) {
  const { transactions: t, unlistedSales: u } = tables
  const isErased = and(eq(u.id, t.purchaseId), isNotNull(u.erasedAt))
  const isLive = or(ne(t.subscriberId, NOBODY), notExists(db.select({ id: u.id }).from(u).where(isErased)))
  const isReal = sql`${t.environment} = 'PRODUCTION'`
  return db
    .select({
      id: t.storeProductId,
      usdMicros: sql<number>`sum(case when ${isReal} then coalesce(${t.usdMicros}, 0) else 0 end)`.mapWith(Number),
      unconverted: sql<number>`sum(case when ${isReal} and ${t.usdMicros} is null then 1 else 0 end)`.mapWith(Number),
      ...timesOf(sql`case when ${inArray(t.kind, NO_CHARGES)} then null else ${t.occurredAt} end`),
    })
    .from(t)
    .where(and(isWithin(tables, 'LINE', projectId, span), isLive))
    .groupBy(t.storeProductId)
}

/** How many purchases of people, and how many unlisted sales, wait for each store product of a store. */
export async function countAwaited(
  handle: Handle,
  projectId: string,
  store: Store,
): Promise<{ storeProductId: string; purchases: number; sales: number }[]> {
  const counts = new Map<string, { storeProductId: string; purchases: number; sales: number }>()
  for (const kind of ['PURCHASE', 'SALE'] as const) {
    const { table, isWaiting } = waitingOf(handle.tables, kind)
    const rows = await handle.db
      .select({ id: table.storeProductId, count: count() })
      .from(table)
      .where(and(eq(table.projectId, projectId), eq(table.store, store), isWaiting, gt(table.storeProductId, '')))
      .groupBy(table.storeProductId)
    for (const { id, count } of rows) {
      const storeProductId = String(id)
      const known = counts.get(storeProductId) ?? { storeProductId, purchases: 0, sales: 0 }
      counts.set(storeProductId, { ...known, [kind === 'PURCHASE' ? 'purchases' : 'sales']: count })
    }
  }
  return [...counts.values()]
}

/** A purchase that waits; of an unlisted sale one without an owner. */
export interface WaitingRow {
  row: PurchaseRow
  isSale: boolean
}

/** The ids of purchases and sales that wait for a store product, the newest first. */
export async function listWaitingBefore(
  handle: Handle,
  projectId: string,
  { store, storeProductId }: Awaited,
  before: string | null,
  limit: number,
): Promise<string[]> {
  const ids = new Set<string>()
  for (const kind of KINDS) {
    const { table, purchaseId, isWaiting } = waitingOf(handle.tables, kind)
    const isOf = and(eq(table.projectId, projectId), eq(table.store, store), eq(table.storeProductId, storeProductId))
    const rows = await handle.db
      .selectDistinct({ id: purchaseId })
      .from(table)
      .where(and(isOf, isWaiting, before === null ? undefined : lt(purchaseId, before)))
      .orderBy(desc(purchaseId))
      .limit(limit)
    for (const { id } of rows) ids.add(id)
  }
  return [...ids].sort().reverse().slice(0, limit)
}

/** The rows with these ids, in their order. Sales whose buyer was erased are left out. */
export async function listWaitingRows(
  handle: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<WaitingRow[]> {
  if (ids.length === 0) return []
  const rows = new Map<string, WaitingRow>()
  for (const row of await listByIds(handle, projectId, ids)) rows.set(row.id, { row, isSale: false })
  for (const sale of await listSalesById(handle, ids))
    if (sale.projectId === projectId && sale.erasedAt === null)
      rows.set(sale.id, { row: toUnownedPurchase(sale), isSale: true })
  return ids.flatMap((id) => rows.get(id) ?? [])
}
