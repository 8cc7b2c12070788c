import { and, asc, eq, gt, inArray, type Placeholder, sql } from 'drizzle-orm'
import { byPrepared, bySome } from '../../base/db/by-some'
import type { Written } from '../../base/db/compiled-query'
import type { Handle } from '../../base/db/handle'
import { insertMany } from '../../base/db/insert-many'
import { STATUSES } from '../../core/purchase/status'
import type { Store } from '../../stores/observation'
import type { ObservationRow, PurchaseRow, TransactionRow } from './queries'

// Statements about many purchases at once, for imports and links.

/** The purchases of a store with one of these chain keys. */
export const listByChains = (
  handle: Handle,
  projectId: string,
  store: Store,
  chainKeys: readonly string[],
): Promise<PurchaseRow[]> => byPrepared(handle, chainKeys, CHAINS, { projectId, store })

const CHAINS = {
  name: 'purchases.byChains',
  build: ({ db, tables: { purchases: p } }: Handle, some: Placeholder[]) =>
    db
      .select()
      .from(p)
      .where(and(ofStore(p), inArray(p.chainKey, some)))
      .prepare(),
}

/** The purchases of a project with these ids. */
export const listByManyIds = (handle: Handle, projectId: string, ids: readonly string[]): Promise<PurchaseRow[]> =>
  byPrepared(handle, ids, IDS, { projectId })

const IDS = {
  name: 'purchases.byIds',
  build: ({ db, tables: { purchases: p } }: Handle, some: Placeholder[]) =>
    db
      .select()
      .from(p)
      // The expression keeps SQLite from reading all purchases of the project.
      .where(and(inArray(p.id, some), eq(sql`${p.projectId} || ''`, sql.placeholder('projectId'))))
      .orderBy(asc(p.id))
      .prepare(),
}

const ofStore = (p: Handle['tables']['purchases']) =>
  and(eq(p.projectId, sql.placeholder('projectId')), eq(p.store, sql.placeholder('store')))

/** The purchases of a store with one of these original transaction ids. */
export const listByOriginals = (
  handle: Handle,
  projectId: string,
  store: Store,
  originalTransactionIds: readonly string[],
): Promise<PurchaseRow[]> => byPrepared(handle, originalTransactionIds, ORIGINALS, { projectId, store })

const ORIGINALS = {
  name: 'purchases.byOriginals',
  build: ({ db, tables: { purchases: p } }: Handle, some: Placeholder[]) =>
    db
      .select()
      .from(p)
      .where(and(ofStore(p), inArray(p.originalTransactionId, some)))
      .orderBy(asc(p.id))
      .prepare(),
}

/**
 * Purchases of a project, by id; after the one with the given id. The next ones of each status are a range of an index. An
 * index by project and id alone would be taken by SQLite for the purchases of a chain too, because these are in its order.
 */
export async function listPurchasesAfter(
  { db, tables: { purchases: p } }: Handle,
  projectId: string,
  after: string,
  limit: number,
): Promise<PurchaseRow[]> {
  const next = STATUSES.map((status) => {
    const isNext = and(eq(p.projectId, projectId), eq(p.status, status), gt(p.id, after))
    const ofStatus = sql`select ${p.id} from ${p} where ${isNext} order by ${p.id} limit ${limit}`
    return sql`select id from (${ofStatus}) as ${sql.identifier(`of_${status.toLowerCase()}`)}`
  })
  const isNext = sql`${p.id} in (${sql.join(next, sql` union all `)})`
  return db.select().from(p).where(isNext).orderBy(p.id).limit(limit)
}

/** The observations of many purchases, in the order of each purchase's own list. */
export async function listObservationsOf(
  handle: Handle,
  purchaseIds: readonly string[],
): Promise<Map<string, ObservationRow[]>> {
  const rows = await byPrepared(handle, purchaseIds, OBSERVATIONS)
  return Map.groupBy(rows, ({ purchaseId }) => purchaseId)
}

const OBSERVATIONS = {
  name: 'observations.ofPurchases',
  build: ({ db, tables: { observations: o } }: Handle, some: Placeholder[]) =>
    db
      .select()
      .from(o)
      .where(inArray(o.purchaseId, some))
      .orderBy(asc(o.purchaseId), asc(o.recordedAt), asc(o.kind), asc(o.id))
      .prepare(),
}

export async function listTransactionsOf(
  handle: Handle,
  purchaseIds: readonly string[],
): Promise<Map<string, TransactionRow[]>> {
  const rows = await byPrepared(handle, purchaseIds, TRANSACTIONS)
  return Map.groupBy(rows, ({ purchaseId }) => purchaseId)
}

const TRANSACTIONS = {
  name: 'transactions.ofPurchases',
  build: ({ db, tables: { transactions: t } }: Handle, some: Placeholder[]) =>
    db.select().from(t).where(inArray(t.purchaseId, some)).prepare(),
}

export async function insertPurchases(handle: Handle, rows: readonly PurchaseRow[]): Promise<void> {
  await insertMany(handle, rows, {
    name: 'purchases.insertMany',
    jsonColumns: ['accessIds', 'presentedContext', 'formerLineKeys'],
    build: ({ db, tables }, values) => db.insert(tables.purchases).values(values).prepare(),
  })
}

/** Insert-or-ignore: an observation that is reported twice is stored once. */
export async function insertManyObservations(handle: Handle, rows: readonly ObservationRow[]): Promise<void> {
  await insertMany(handle, rows, {
    name: 'observations.insertMany',
    build: ({ db, tables }, values) => db.insert(tables.observations).values(values).onConflictDoNothing().prepare(),
  })
}

/**
 * Insert-or-ignore by revenue key; returns the ids of the rows that were written. Hardly ever one is ignored, and to have
 * every id returned takes a quarter of the time of writing.
 */
export async function insertManyTransactions(handle: Handle, rows: readonly TransactionRow[]): Promise<Set<string>> {
  const results = await insertMany(handle, rows, {
    name: 'transactions.insertMany',
    build: ({ db, tables }, values) => db.insert(tables.transactions).values(values).onConflictDoNothing().prepare(),
  })
  const ids = rows.map(({ id }) => id)
  const count = (results as Written[]).reduce((sum, { rowsAffected = Number.NaN }) => sum + rowsAffected, 0)
  return new Set(count === rows.length ? ids : await listWritten(handle, ids))
}

async function listWritten({ db, tables: { transactions: t } }: Handle, ids: readonly string[]): Promise<string[]> {
  const rows = await bySome(ids, (some) => db.select({ id: t.id }).from(t).where(inArray(t.id, some)))
  return rows.map(({ id }) => id)
}
