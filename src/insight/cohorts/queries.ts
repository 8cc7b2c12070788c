import { and, asc, type Column, count, desc, eq, gt, inArray, lt, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { Handle, TransactionHandle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'
import type { PurchaseFold } from '../../people/purchases/model'
import { familyOf } from '../../people/subscribers/family'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { Observation, PurchaseEnvironment } from '../../stores/observation'
import { isOfProject } from './starts'

export type CohortRow = Handle['tables']['cohorts']['$inferSelect']
export type MemberRow = Handle['tables']['cohortMembers']['$inferSelect']

const isRow = ({ cohorts: c }: Handle['tables'], projectId: string, id: string): SQL | undefined =>
  and(eq(c.projectId, projectId), eq(c.id, id))

export async function pageCohorts(
  { db, tables }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<CohortRow[]> {
  const { cohorts: c } = tables
  const isEarlier = beforeId === undefined ? undefined : lt(c.id, beforeId)
  return db
    .select()
    .from(c)
    .where(and(eq(c.projectId, projectId), isEarlier))
    .orderBy(desc(c.id))
    .limit(limit)
}

export async function listAllCohorts({ db, tables }: Handle, projectId: string): Promise<CohortRow[]> {
  const { cohorts: c } = tables
  return db.select().from(c).where(eq(c.projectId, projectId)).orderBy(asc(c.id))
}

export async function countCohorts({ db, tables }: Handle, projectId: string): Promise<number> {
  const { cohorts: c } = tables
  const [row] = await db.select({ count: count() }).from(c).where(eq(c.projectId, projectId))
  return row?.count ?? 0
}

export async function findCohort({ db, tables }: Handle, projectId: string, id: string): Promise<CohortRow | null> {
  const [row] = await db
    .select()
    .from(tables.cohorts)
    .where(isRow(tables, projectId, id))
  return row ?? null
}

/** The cohort, after other transactions that lock it have ended. */
export async function lockCohort(tx: TransactionHandle, projectId: string, id: string): Promise<CohortRow | null> {
  await tx.lock(`cohort:${id}`)
  return findCohort(tx, projectId, id)
}

/** The id of the cohort with this identifier, or null. */
export async function findIdentifier(
  { db, tables }: Handle,
  projectId: string,
  identifier: string,
): Promise<string | null> {
  const { cohorts: c } = tables
  const [row] = await db
    .select({ id: c.id })
    .from(c)
    .where(and(eq(c.projectId, projectId), eq(c.identifier, identifier)))
  return row?.id ?? null
}

export async function insertCohort({ db, tables }: Handle, row: CohortRow): Promise<void> {
  await db.insert(tables.cohorts).values(row)
}

export async function updateCohortRow({ db, tables }: Handle, id: string, change: Partial<CohortRow>): Promise<void> {
  await db.update(tables.cohorts).set(change).where(eq(tables.cohorts.id, id))
}

/** Saves what was computed, unless the cohort has another definition by now. */
export async function saveComputed(
  { db, tables }: Handle,
  { id, listId }: Pick<CohortRow, 'id' | 'listId'>,
  change: Partial<CohortRow>,
): Promise<void> {
  const { cohorts: c } = tables
  await db
    .update(c)
    .set(change)
    .where(and(eq(c.id, id), eq(c.listId, listId)))
}

export async function deleteCohortRow({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.cohorts).where(eq(tables.cohorts.id, id))
}

/** The saved members after an id and up to another one (null = all that follow): when each of them started. */
export async function listSaved(
  { db, tables }: Handle,
  listId: string,
  after: string,
  until: string | null,
): Promise<Map<string, number>> {
  const { cohortMembers: m } = tables
  const isEarlier = until === null ? undefined : lte(m.subscriberId, until)
  const rows = await db
    .select()
    .from(m)
    .where(and(eq(m.listId, listId), gt(m.subscriberId, after), isEarlier))
  return new Map(rows.map(({ subscriberId, startedAt }) => [subscriberId, startedAt]))
}

export async function saveMembers({ db, tables }: Handle, rows: readonly MemberRow[]): Promise<void> {
  const { cohortMembers: m } = tables
  await db
    .insert(m)
    .values([...rows])
    .onConflictDoUpdate({ target: [m.listId, m.subscriberId], set: { startedAt: sql`excluded.started_at` } })
}

export async function deleteMembers({ db, tables }: Handle, listId: string, ids: readonly string[]): Promise<void> {
  const { cohortMembers: m } = tables
  await db.delete(m).where(and(eq(m.listId, listId), inArray(m.subscriberId, [...ids])))
}

/** Deletes at most `limit` members of a list; returns how many. */
export async function deleteSomeMembers({ db, tables }: Handle, listId: string, limit: number): Promise<number> {
  const { cohortMembers: m } = tables
  const some = db.select({ id: m.subscriberId }).from(m).where(eq(m.listId, listId)).limit(limit)
  const deleted = await db
    .delete(m)
    .where(and(eq(m.listId, listId), inArray(m.subscriberId, some)))
    .returning({ id: m.subscriberId })
  return deleted.length
}

/** Takes a person, with the rows merged into it, out of all cohorts of a project. */
/** Returns how many rows were deleted. */
export async function deleteMember({ db, tables }: Handle, projectId: string, subscriberId: string): Promise<number> {
  const { cohorts: c, cohortMembers: m } = tables
  const lists = db.select({ id: c.listId }).from(c).where(eq(c.projectId, projectId))
  const isOwn = and(inArray(m.listId, lists), sql`${m.subscriberId} in ${familyOf(tables, subscriberId)}`)
  return (await db.delete(m).where(isOwn).returning({ id: m.subscriberId })).length
}

const isLive = ({ subscribers: s }: Handle['tables']): SQL => sql`${s.mergedInto} is null and ${s.erasedAt} is null`

/** The members before an id, the newest subscriber first, without those who were merged or erased since. */
export async function pageMembers(
  { db, tables }: Handle,
  listId: string,
  { beforeId, limit }: Page,
): Promise<SubscriberRow[]> {
  const { cohortMembers: m, subscribers: s } = tables
  const isEarlier = beforeId === undefined ? undefined : lt(m.subscriberId, beforeId)
  const rows = await db
    .select({ row: s })
    .from(m)
    .innerJoin(s, eq(s.id, m.subscriberId))
    .where(and(eq(m.listId, listId), isEarlier, isLive(tables)))
    .orderBy(desc(m.subscriberId))
    .limit(limit)
  return rows.map(({ row }) => row)
}

/** The members after an id, in the order of ids, with the instants at which they started. */
export async function listStarters(
  { db, tables }: Handle,
  listId: string,
  afterId: string,
  limit: number,
): Promise<{ id: string; startedAt: number; isLive: boolean }[]> {
  const { cohortMembers: m, subscribers: s } = tables
  const rows = await db
    .select({ id: m.subscriberId, startedAt: m.startedAt, mergedInto: s.mergedInto, erasedAt: s.erasedAt })
    .from(m)
    .innerJoin(s, eq(s.id, m.subscriberId))
    .where(and(eq(m.listId, listId), gt(m.subscriberId, afterId)))
    .orderBy(asc(m.subscriberId))
    .limit(limit)
  return rows.map(({ id, startedAt, mergedInto, erasedAt }) => ({
    ...{ id, startedAt },
    isLive: mergedInto === null && erasedAt === null,
  }))
}

/** A subscription of a person, as it was saved last. */
export interface HeldSubscription {
  id: string
  subscriberId: string
  fold: PurchaseFold
}

/** The subscriptions that people bought in one environment; those that were given are not paid. */
export async function listSubscriptions(
  handle: Handle,
  projectId: string,
  subscriberIds: readonly string[],
  environment: PurchaseEnvironment,
): Promise<HeldSubscription[]> {
  if (subscriberIds.length === 0) return []
  const { purchases: p } = handle.tables
  const isBought = and(eq(p.environment, environment), ne(p.store, 'MANUAL'))
  const isTheirs = and(isOfProject(handle, p.projectId, projectId), inArray(p.subscriberId, [...subscriberIds]))
  const rows = await handle.db
    .select({ id: p.id, subscriberId: p.subscriberId, fold: parsed<PurchaseFold>(p.fold) })
    .from(p)
    .where(and(isTheirs, isBought))
  return rows.filter(({ fold }) => fold.productType === 'SUBSCRIPTION')
}

/** A JSON column. ClickHouse keeps its text. */
const parsed = <Value>(column: Column): SQL<Value> =>
  sql<Value>`cast(${column} as text)`.mapWith((text: string) => JSON.parse(text) as Value)

/** What the stores reported about purchases, by purchase id. */
export async function listReports(
  { db, tables }: Handle,
  purchaseIds: readonly string[],
): Promise<Map<string, Observation[]>> {
  if (purchaseIds.length === 0) return new Map()
  const { observations: o } = tables
  const rows = await db
    .select({ purchaseId: o.purchaseId, payload: parsed<Observation>(o.payload) })
    .from(o)
    .where(inArray(o.purchaseId, [...purchaseIds]))
  const groups = Map.groupBy(rows, ({ purchaseId }) => purchaseId)
  return new Map([...groups].map(([id, own]) => [id, own.map(({ payload }) => payload)]))
}
