import { and, eq, inArray, isNotNull, lte, ne, type Placeholder, sql } from 'drizzle-orm'
import { byPrepared } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'
import { executeOne, prepared, preparedChange, preparedRows } from '../../base/db/prepared'
import { beginsWith } from '../../base/db/range'
import type { Observation, PurchaseEnvironment, Store } from '../../stores/observation'
import { findJoined, findJoinedTransaction } from './joined'

export type PurchaseRow = Handle['tables']['purchases']['$inferSelect']
export type TransactionRow = Handle['tables']['transactions']['$inferSelect']
export type ObservationRow = Handle['tables']['observations']['$inferSelect']

/** The oldest purchase of a chain; for stores whose chains have one line, and where any line will do. */
export async function findByChain(
  handle: Handle,
  projectId: string,
  store: Store,
  chainKey: string,
): Promise<PurchaseRow | null> {
  const query = prepared(handle, 'purchases.byChain', ({ db, tables: { purchases: p } }) => {
    const isStore = and(eq(p.projectId, sql.placeholder('projectId')), eq(p.store, sql.placeholder('store')))
    return db
      .select()
      .from(p)
      .where(and(isStore, eq(p.chainKey, sql.placeholder('chainKey'))))
      .orderBy(p.id)
      .limit(1)
      .prepare()
  })
  const [row] = await query.execute({ projectId, store, chainKey })
  return row ?? null
}

/** All lines of a chain, the oldest first. */
export async function listByChain(
  handle: Handle,
  projectId: string,
  store: Store,
  chainKey: string,
): Promise<PurchaseRow[]> {
  const query = prepared(handle, 'purchases.linesOfChain', ({ db, tables: { purchases: p } }) => {
    const isStore = and(eq(p.projectId, sql.placeholder('projectId')), eq(p.store, sql.placeholder('store')))
    return db
      .select()
      .from(p)
      .where(and(isStore, eq(p.chainKey, sql.placeholder('chainKey'))))
      .orderBy(p.id)
      .prepare()
  })
  return query.execute({ projectId, store, chainKey })
}

/** The purchase with this id. When its row was joined with that of the same sale, the row that stayed. */
export async function findPurchaseById(handle: Handle, projectId: string, id: string): Promise<PurchaseRow | null> {
  return (await findOwnRow(handle, projectId, id)) ?? findJoined(handle, projectId, id)
}

async function findOwnRow(handle: Handle, projectId: string, id: string): Promise<PurchaseRow | null> {
  const query = prepared(handle, 'purchases.byId', ({ db, tables: { purchases: p } }) => {
    const isRow = and(eq(p.id, sql.placeholder('id')), eq(p.projectId, sql.placeholder('projectId')))
    return db.select().from(p).where(isRow).limit(1).prepare()
  })
  const [row] = await query.execute({ projectId, id })
  return row ?? null
}

export async function listByIds(
  { db, tables }: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<PurchaseRow[]> {
  const { purchases: p } = tables
  // The expression keeps SQLite from reading all purchases of the project, which it prefers to about ten ids or more.
  const isNamed = and(inArray(p.id, [...ids]), eq(sql`${p.projectId} || ''`, projectId))
  return db.select().from(p).where(isNamed).orderBy(p.id)
}

export async function listBySubscriber(handle: Handle, subscriberId: string): Promise<PurchaseRow[]> {
  const query = prepared(handle, 'purchases.bySubscriber', ({ db, tables: { purchases: p } }) =>
    db
      .select()
      .from(p)
      .where(eq(p.subscriberId, sql.placeholder('subscriberId')))
      .orderBy(p.id)
      .prepare(),
  )
  return query.execute({ subscriberId })
}

/** What access follows from: a purchase without what only its own page shows. */
export type HeldPurchase = Pick<PurchaseRow, 'id' | 'productId' | 'accessIds' | 'store' | 'environment' | 'fold'>

const selectHeld = ({ db, tables: { purchases: p } }: Handle) => {
  const { id, productId, accessIds, store, environment, fold } = p
  return db.select({ id, productId, accessIds, store, environment, fold }).from(p)
}

/** The purchases of a subscriber, for computing access. Each column takes time, and this is read at every purchase. */
export async function listHeld(handle: Handle, subscriberId: string): Promise<HeldPurchase[]> {
  const query = prepared(handle, 'purchases.held', (one) => {
    const { purchases: p } = one.tables
    const isOwn = eq(p.subscriberId, sql.placeholder('subscriberId'))
    return selectHeld(one).where(isOwn).orderBy(p.id).prepare()
  })
  return query.execute({ subscriberId })
}

/** Like `listHeld`, with a purchase whose row this transaction has just written and that is not read again. */
export async function listHeldWith(handle: Handle, row: PurchaseRow): Promise<HeldPurchase[]> {
  const query = prepared(handle, 'purchases.heldBeside', (one) => {
    const { purchases: p } = one.tables
    const isOther = and(eq(p.subscriberId, sql.placeholder('subscriberId')), ne(p.id, sql.placeholder('id')))
    return selectHeld(one).where(isOther).orderBy(p.id).prepare()
  })
  const others = await query.execute({ subscriberId: row.subscriberId, id: row.id })
  const place = others.findIndex(({ id }) => id > row.id)
  return others.toSpliced(place === -1 ? others.length : place, 0, row)
}

/** The purchases of many subscribers. */
export const listBySubscribers = (handle: Handle, subscriberIds: readonly string[]): Promise<PurchaseRow[]> =>
  byPrepared(handle, subscriberIds, OF_SUBSCRIBERS)

const OF_SUBSCRIBERS = {
  name: 'purchases.ofSubscribers',
  build: ({ db, tables: { purchases: p } }: Handle, some: Placeholder[]) =>
    db.select().from(p).where(inArray(p.subscriberId, some)).orderBy(p.id).prepare(),
}

/** The purchases of a family-shared chain. Each subscriber has one, or several after a merge. */
export async function listFamilyShares(
  handle: Handle,
  projectId: string,
  store: Store,
  originalTransactionId: string,
): Promise<PurchaseRow[]> {
  const rows = await listByOriginal(handle, projectId, store, originalTransactionId)
  return rows.filter(({ fold }) => fold.ownershipType === 'FAMILY_SHARED')
}

/** The purchases with this original transaction id, of all subscribers. */
export async function listByOriginal(
  { db, tables }: Handle,
  projectId: string,
  store: Store,
  originalTransactionId: string,
): Promise<PurchaseRow[]> {
  const { purchases: p } = tables
  const isChain = and(
    eq(p.projectId, projectId),
    eq(p.store, store),
    eq(p.originalTransactionId, originalTransactionId),
  )
  return db.select().from(p).where(isChain).orderBy(p.id)
}

/** Whether the subscriber has another purchase in the same environment with this account token. */
export async function hasPurchaseWithToken(
  { db, tables }: Handle,
  { id, projectId, environment }: PurchaseRow,
  subscriberId: string,
  accountToken: string,
): Promise<boolean> {
  const { purchases: p } = tables
  const isToken = and(eq(p.projectId, projectId), eq(p.accountToken, accountToken))
  const isOther = and(eq(p.environment, environment), ne(p.id, id))
  const [row] = await db
    .select({ id: p.id })
    .from(p)
    .where(and(isToken, eq(p.subscriberId, subscriberId), isOther))
    .limit(1)
  return row !== undefined
}

/** The purchases in one environment whose signed data contains the account token. */
export async function listByToken(
  { db, tables }: Handle,
  projectId: string,
  store: Store,
  environment: PurchaseRow['environment'],
  accountToken: string,
): Promise<PurchaseRow[]> {
  const { purchases: p } = tables
  const isToken = and(eq(p.projectId, projectId), eq(p.accountToken, accountToken))
  return db
    .select()
    .from(p)
    .where(and(isToken, eq(p.store, store), eq(p.environment, environment)))
    .orderBy(p.id)
}

/** The observations of these purchases that came from notifications. */
export async function listNotified({ db, tables }: Handle, purchaseIds: readonly string[]): Promise<Observation[]> {
  if (purchaseIds.length === 0) return []
  const { observations: o } = tables
  const rows = await db
    .select({ payload: o.payload, cause: o.cause })
    .from(o)
    .where(inArray(o.purchaseId, [...purchaseIds]))
  return rows.filter(({ cause }) => cause.kind === 'STORE_NOTIFICATION').map(({ payload }) => payload)
}

/** Purchases whose status has changed by the clock since the last recorded events, oldest first. */
export async function listDue({ db, tables }: Handle, now: number, limit: number): Promise<PurchaseRow[]> {
  const { purchases: p } = tables
  return db
    .select()
    .from(p)
    .where(and(isNotNull(p.sweepAt), lte(p.sweepAt, now)))
    .orderBy(p.sweepAt)
    .limit(limit)
}

export async function insertPurchase(handle: Handle, row: PurchaseRow): Promise<void> {
  const { shape, values, params } = preparedRows([row])
  const build = ({ db, tables }: Handle) => db.insert(tables.purchases).values(values()).prepare()
  await prepared(handle, `purchases.insert ${shape}`, build).execute(params)
}

export async function updatePurchase(handle: Handle, id: string, change: Partial<PurchaseRow>): Promise<void> {
  const { shape, params, set } = preparedChange(change)
  const query = prepared(handle, `purchases.update ${shape}`, ({ db, tables: { purchases: p } }) =>
    db
      .update(p)
      .set(set())
      .where(eq(p.id, sql.placeholder('purchaseId')))
      .prepare(),
  )
  await query.execute({ ...params, purchaseId: id })
}

/** Moves purchases with their money lines to another subscriber. */
export async function moveOwner(
  { db, tables }: Handle,
  ids: readonly string[],
  toSubscriberId: string,
  now: number,
): Promise<void> {
  const { purchases: p, purchaseMoves: m, transactions: t } = tables
  const isMoved = inArray(p.id, [...ids])
  const owners = await db
    .select({ projectId: p.projectId, purchaseId: p.id, fromId: p.subscriberId })
    .from(p)
    .where(isMoved)
  await db.insert(m).values(owners)
  await db.update(p).set({ subscriberId: toSubscriberId, updatedAt: now }).where(isMoved)
  await db
    .update(t)
    .set({ subscriberId: toSubscriberId })
    .where(inArray(t.purchaseId, [...ids]))
}

export async function listObservations(handle: Handle, purchaseId: string): Promise<Observation[]> {
  const query = prepared(handle, 'observations.byPurchase', ({ db, tables: { observations: o } }) =>
    db
      .select({ payload: o.payload })
      .from(o)
      .where(eq(o.purchaseId, sql.placeholder('purchaseId')))
      .prepare(),
  )
  return (await query.execute({ purchaseId })).map(({ payload }) => payload)
}

/** The observations of a purchase, each with the time of its recording, the first recorded first. */
export async function listRecorded(
  { db, tables: { observations: o } }: Handle,
  purchaseId: string,
): Promise<Pick<ObservationRow, 'payload' | 'recordedAt'>[]> {
  const found = db.select({ payload: o.payload, recordedAt: o.recordedAt }).from(o)
  return found.where(eq(o.purchaseId, purchaseId)).orderBy(o.recordedAt, o.kind, o.id)
}

/** The observations of a purchase, each with its source and the time of its recording, the first recorded first. */
export async function listWithCauses(
  handle: Handle,
  purchaseId: string,
): Promise<Pick<ObservationRow, 'payload' | 'cause' | 'recordedAt'>[]> {
  const query = prepared(handle, 'observations.withCauses', ({ db, tables: { observations: o } }) =>
    db
      .select({ payload: o.payload, cause: o.cause, recordedAt: o.recordedAt })
      .from(o)
      .where(eq(o.purchaseId, sql.placeholder('purchaseId')))
      .orderBy(o.recordedAt, o.kind, o.id)
      .prepare(),
  )
  return query.execute({ purchaseId })
}

/** Kind and time of each observation of a purchase, and the source that reported it first. */
export async function listSources(
  handle: Handle,
  purchaseId: string,
): Promise<Pick<ObservationRow, 'kind' | 'eventAt' | 'cause'>[]> {
  const query = prepared(handle, 'observations.sources', ({ db, tables: { observations: o } }) =>
    db
      .select({ kind: o.kind, eventAt: o.eventAt, cause: o.cause })
      .from(o)
      .where(eq(o.purchaseId, sql.placeholder('purchaseId')))
      .prepare(),
  )
  return query.execute({ purchaseId })
}

/** Insert-or-ignore: an observation that is reported twice is stored once. */
export async function insertObservations(handle: Handle, rows: ObservationRow[]): Promise<void> {
  const { shape, values, params } = preparedRows(rows)
  const build = ({ db, tables }: Handle) =>
    db.insert(tables.observations).values(values()).onConflictDoNothing().prepare()
  await prepared(handle, `observations.insert ${shape}`, build).execute(params)
}

export async function listTransactions(handle: Handle, purchaseId: string): Promise<TransactionRow[]> {
  const query = prepared(handle, 'transactions.byPurchase', ({ db, tables: { transactions: t } }) =>
    db
      .select()
      .from(t)
      .where(eq(t.purchaseId, sql.placeholder('purchaseId')))
      .prepare(),
  )
  return query.execute({ purchaseId })
}

/** The money line with this id. When it counted the charge of another line a second time, the line that stayed. */
export async function findTransaction(handle: Handle, projectId: string, id: string): Promise<TransactionRow | null> {
  const { transactions: t } = handle.tables
  const [row] = await handle.db
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.projectId, projectId)))
  return row ?? findJoinedTransaction(handle, projectId, id)
}

/** All money lines of a subscriber in one environment, of all purchases and stores. */
export async function listLinesOf(
  { db, tables }: Handle,
  subscriberId: string,
  environment: PurchaseEnvironment,
): Promise<TransactionRow[]> {
  const { transactions: t } = tables
  return db
    .select()
    .from(t)
    .where(and(eq(t.subscriberId, subscriberId), eq(t.environment, environment)))
}

/** Insert-or-ignore by revenue key: a charge counts once, whatever source reported it. */
export async function insertTransactions(handle: Handle, rows: TransactionRow[]): Promise<string[]> {
  const { shape, values, params } = preparedRows(rows)
  const build = ({ db, tables: { transactions: t } }: Handle) =>
    db.insert(t).values(values()).onConflictDoNothing().returning({ id: t.id }).prepare()
  const query = prepared(handle, `transactions.insert ${shape}`, build)
  if (rows.length > 1) return (await query.execute(params)).map(({ id }) => id)
  const inserted = await executeOne(query, params)
  return inserted ? [inserted.id] : []
}

/** Whether a money line of the project has the revenue key. */
export async function hasRevenueKey(
  { db, tables: { transactions: t } }: Handle,
  { projectId, revenueKey }: Pick<TransactionRow, 'projectId' | 'revenueKey'>,
): Promise<boolean> {
  const isKey = and(eq(t.projectId, projectId), eq(t.revenueKey, revenueKey))
  return (await db.select({ id: t.id }).from(t).where(isKey).limit(1)).length > 0
}

/** Whether the project has a money line of this transaction of the App Store. */
export async function hasIosTransaction({ db, tables: { transactions: t } }: Handle, projectId: string, id: string) {
  const isOne = and(eq(t.projectId, projectId), beginsWith(t.revenueKey, `IOS_STORE:${id}:`))
  const rows = await db.select({ id: t.id }).from(t).where(isOne).limit(1)
  return rows.length > 0
}

export async function updateTransaction(handle: Handle, id: string, change: Partial<TransactionRow>): Promise<void> {
  const { shape, params, set } = preparedChange(change)
  const query = prepared(handle, `transactions.update ${shape}`, ({ db, tables: { transactions: t } }) =>
    db
      .update(t)
      .set(set())
      .where(eq(t.id, sql.placeholder('transactionRowId')))
      .prepare(),
  )
  await query.execute({ ...params, transactionRowId: id })
}

export async function deleteTransactions({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  await db.delete(tables.transactions).where(inArray(tables.transactions.id, [...ids]))
}
