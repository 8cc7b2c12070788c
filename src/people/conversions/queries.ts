import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { prepared } from '../../base/db/prepared'
import { isAfter } from '../../base/db/range'
import type { TransactionRow } from '../purchases/holdings'
import { purchaseLockName } from '../purchases/lock'
import { listSalesById, toUnownedPurchase } from '../purchases/unlisted-sales'

export type ConversionRow = Handle['tables']['rateConversions']['$inferSelect']

export async function insertConversion({ db, tables }: Handle, row: ConversionRow): Promise<void> {
  await db.insert(tables.rateConversions).values(row)
}

/** The oldest conversion that is not done. */
export async function findWaiting({ db, tables: { rateConversions: c } }: Handle): Promise<ConversionRow | null> {
  const [row] = await db.select().from(c).where(eq(c.state, 'WAITING')).orderBy(asc(c.position)).limit(1)
  return row ?? null
}

export async function findConversion(
  { db, tables: { rateConversions: c } }: Handle,
  id: string,
): Promise<ConversionRow | null> {
  const [row] = await db.select().from(c).where(eq(c.id, id))
  return row ?? null
}

export async function updateConversion(
  { db, tables: { rateConversions: c } }: Handle,
  id: string,
  change: Partial<ConversionRow>,
): Promise<void> {
  await db.update(c).set(change).where(eq(c.id, id))
}

/** Conversions, the newest first. */
export async function listConversions(
  { db, tables: { rateConversions: c } }: Handle,
  limit: number,
): Promise<ConversionRow[]> {
  return db.select().from(c).orderBy(desc(c.position)).limit(limit)
}

/** The first project after an id; also a deleted one, because its transactions may still be there. */
export async function findProjectAfter({ db, tables: { projects: p } }: Handle, id: string): Promise<string | null> {
  const [row] = await db.select({ id: p.id }).from(p).where(gt(p.id, id)).orderBy(asc(p.id)).limit(1)
  return row?.id ?? null
}

/** A money line, as far as its conversion needs it. */
export type Line = Pick<
  TransactionRow,
  | 'id'
  | 'purchaseId'
  | 'store'
  | 'revenueKey'
  | 'storeTransactionId'
  | 'kind'
  | 'amountMicros'
  | 'currency'
  | 'usdMicros'
  | 'occurredAt'
>

const columnsOf = ({ transactions: t }: Handle['tables']) => ({
  id: t.id,
  purchaseId: t.purchaseId,
  store: t.store,
  revenueKey: t.revenueKey,
  storeTransactionId: t.storeTransactionId,
  kind: t.kind,
  amountMicros: t.amountMicros,
  currency: t.currency,
  usdMicros: t.usdMicros,
  occurredAt: t.occurredAt,
})

/** A line that a conversion looks at. */
export type FoundLine = Pick<TransactionRow, 'id' | 'purchaseId' | 'revenueKey' | 'occurredAt'>

/** The next lines of a project in some currencies after a position, in the order of time. */
export async function listLinesAfter(
  { db, tables }: Handle,
  projectId: string,
  currencies: readonly string[],
  after: readonly [occurredAt: number, id: string],
  limit: number,
): Promise<FoundLine[]> {
  const { transactions: t } = tables
  const isNext = and(eq(t.projectId, projectId), isAfter([t.occurredAt, t.id], after))
  return db
    .select({
      id: t.id,
      purchaseId: t.purchaseId,
      revenueKey: t.revenueKey,
      occurredAt: t.occurredAt,
    })
    .from(t)
    .where(and(isNext, inArray(t.currency, [...currencies])))
    .orderBy(asc(t.occurredAt), asc(t.id))
    .limit(limit)
}

/** The names under which what records a purchase locks it, in ascending order. */
export async function listPurchaseLocks({ db, tables }: Handle, ids: readonly string[]): Promise<string[]> {
  const { purchases: p } = tables
  const rows = await db
    .select({
      projectId: p.projectId,
      store: p.store,
      chainKey: p.chainKey,
      originalTransactionId: p.originalTransactionId,
    })
    .from(p)
    .where(inArray(p.id, [...ids]))
  const sales = await listSalesById({ db, tables }, ids)
  return [...rows, ...sales.map(toUnownedPurchase)].map(purchaseLockName).sort()
}

/** The charges and first refunds with these keys. */
export async function listLinesByKey(
  { db, tables }: Handle,
  projectId: string,
  keys: readonly string[],
): Promise<Line[]> {
  const { transactions: t } = tables
  const isNamed = and(eq(t.projectId, projectId), inArray(t.revenueKey, [...keys]))
  return db.select(columnsOf(tables)).from(t).where(isNamed)
}

/** All lines of some purchases of a project. */
export async function listLinesOfPurchases(
  { db, tables }: Handle,
  projectId: string,
  purchaseIds: readonly string[],
): Promise<Line[]> {
  if (purchaseIds.length === 0) return []
  const { transactions: t } = tables
  // The expression keeps SQLite from reading all lines of the project.
  const isOurs = and(inArray(t.purchaseId, [...purchaseIds]), eq(sql`${t.projectId} || ''`, projectId))
  return db.select(columnsOf(tables)).from(t).where(isOurs)
}

/** Gives transactions their amounts in dollars; null = none. */
export async function setDollars(
  handle: Handle,
  amounts: readonly { id: string; after: number | null }[],
): Promise<void> {
  const query = prepared(handle, 'transactions.setDollars', ({ db, tables: { transactions: t } }) =>
    db
      .update(t)
      .set({ usdMicros: sql`${sql.placeholder('after')}` })
      .where(eq(t.id, sql.placeholder('id')))
      .prepare(),
  )
  for (const { id, after } of amounts) await query.execute({ id, after })
}

/** Marks purchases as changed, because an export of changes takes the money lines of changed purchases. */
export async function touchPurchases({ db, tables }: Handle, ids: readonly string[], now: number): Promise<void> {
  const { purchases: p } = tables
  if (ids.length > 0)
    await db
      .update(p)
      .set({ updatedAt: now })
      .where(inArray(p.id, [...ids]))
}

/** How many transactions have an amount, but none in dollars, by currency; the currency with the most first. */
export async function countUnconverted(handle: Handle): Promise<{ currency: string; transactions: number }[]> {
  const { transactions: t } = handle.tables
  const rows = await handle.db
    .select({ currency: t.currency, transactions: count() })
    .from(t)
    .where(and(isNull(t.usdMicros), isNotNull(t.currency)))
    .groupBy(t.currency)
  return rows
    .map(({ currency, transactions }) => ({ currency: currency ?? '', transactions }))
    .sort((a, b) => b.transactions - a.transactions || (a.currency < b.currency ? -1 : 1))
}
