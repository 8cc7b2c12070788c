import { and, asc, eq, inArray, isNull, ne, type SQL } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { ObservationRow, PurchaseRow } from '../../../people/purchases/queries'
import type { PurchaseMark, SubscriberMark } from '../commit/marks'

export const listPurchaseMarks = (
  { db, tables: { importPurchases: p } }: Handle,
  jobId: string,
  limit: number,
): Promise<PurchaseMark[]> => db.select().from(p).where(eq(p.jobId, jobId)).orderBy(asc(p.purchaseId)).limit(limit)

export async function deletePurchaseMarks(
  { db, tables: { importPurchases: p } }: Handle,
  jobId: string,
  ids: readonly string[],
): Promise<void> {
  await db.delete(p).where(and(eq(p.jobId, jobId), inArray(p.purchaseId, [...ids])))
}

/** Marks of other jobs, which were not taken back, about the same purchases. */
export async function listOtherMarks(
  { db, tables: { importPurchases: p, importJobs: j } }: Handle,
  jobId: string,
  purchaseIds: readonly string[],
): Promise<Map<string, PurchaseMark[]>> {
  const rows = await db
    .select({ jobId: p.jobId, purchaseId: p.purchaseId, isNew: p.isNew, repeats: p.repeats })
    .from(p)
    .innerJoin(j, and(eq(j.id, p.jobId), isNull(j.undoneAt)))
    .where(and(inArray(p.purchaseId, [...purchaseIds]), ne(p.jobId, jobId)))
  return Map.groupBy(rows, ({ purchaseId }) => purchaseId)
}

export const listPurchasesById = (
  { db, tables: { purchases: p } }: Handle,
  ids: readonly string[],
): Promise<PurchaseRow[]> =>
  db
    .select()
    .from(p)
    .where(inArray(p.id, [...ids]))

type ObservationName = Pick<ObservationRow, 'purchaseId' | 'kind' | 'id'>

const isObservation = ({ tables: { observations: o } }: Handle, { purchaseId, kind, id }: ObservationName) =>
  and(eq(o.purchaseId, purchaseId), eq(o.kind, kind), eq(o.id, id))

/** Another job has read the same row, so it stays, as that job's. */
export async function handOver(handle: Handle, name: ObservationName, jobId: string): Promise<void> {
  const cause = { kind: 'IMPORT', ref: jobId }
  await handle.db.update(handle.tables.observations).set({ cause }).where(isObservation(handle, name))
}

export async function deleteObservations(handle: Handle, names: readonly ObservationName[]): Promise<void> {
  for (const name of names) await handle.db.delete(handle.tables.observations).where(isObservation(handle, name))
}

/** Removes purchases with their observations and money lines. */
export async function deletePurchases(
  { db, tables: { purchases: p, purchaseAliases: a, observations: o, transactions: t } }: Handle,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await db.delete(t).where(inArray(t.purchaseId, [...ids]))
  await db.delete(o).where(inArray(o.purchaseId, [...ids]))
  await db.delete(a).where(inArray(a.purchaseId, [...ids]))
  await db.delete(p).where(inArray(p.id, [...ids]))
}

export const listSubscriberMarks = (
  { db, tables: { importSubscribers: s } }: Handle,
  jobId: string,
  limit: number,
): Promise<SubscriberMark[]> => db.select().from(s).where(eq(s.jobId, jobId)).orderBy(asc(s.subscriberId)).limit(limit)

export async function deleteSubscriberMarks(
  { db, tables: { importSubscribers: s } }: Handle,
  jobId: string,
  ids: readonly string[],
): Promise<void> {
  await db.delete(s).where(and(eq(s.jobId, jobId), inArray(s.subscriberId, [...ids])))
}

/** Another job has read these people too: from now on it is the one that made them. */
export async function handOverSubscribers(
  { db, tables: { importSubscribers: s } }: Handle,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0)
    await db
      .update(s)
      .set({ isNew: true })
      .where(inArray(s.subscriberId, [...ids]))
}

export async function deleteSubscribers(
  { db, tables: { subscribers: s } }: Handle,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await db.delete(s).where(inArray(s.id, [...ids]))
}

/** Subscribers that something refers to, besides their import. */
export async function listReferred({ db, tables: t }: Handle, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const read = async (rows: Promise<{ id: string | null }[]>) => {
    for (const { id } of await rows) if (id !== null) found.add(id)
  }
  const isOne = (column: Parameters<typeof inArray>[0]): SQL => inArray(column, [...ids])
  await read(db.select({ id: t.purchases.subscriberId }).from(t.purchases).where(isOne(t.purchases.subscriberId)))
  await read(db.select({ id: t.balances.subscriberId }).from(t.balances).where(isOne(t.balances.subscriberId)))
  await read(db.select({ id: t.subscribers.mergedInto }).from(t.subscribers).where(isOne(t.subscribers.mergedInto)))
  await read(db.select({ id: t.transfers.toSubscriberId }).from(t.transfers).where(isOne(t.transfers.toSubscriberId)))
  await read(
    db.select({ id: t.transfers.fromSubscriberId }).from(t.transfers).where(isOne(t.transfers.fromSubscriberId)),
  )
  await read(db.select({ id: t.assignments.subscriberId }).from(t.assignments).where(isOne(t.assignments.subscriberId)))
  await read(
    db.select({ id: t.trackedEvents.subscriberId }).from(t.trackedEvents).where(isOne(t.trackedEvents.subscriberId)),
  )
  await read(
    db
      .select({ id: t.sessionSubjects.subscriberId })
      .from(t.sessionSubjects)
      .where(isOne(t.sessionSubjects.subscriberId)),
  )
  await read(
    db.select({ id: t.dataRequests.subscriberId }).from(t.dataRequests).where(isOne(t.dataRequests.subscriberId)),
  )
  await read(
    db
      .select({ id: t.importSubscribers.subscriberId })
      .from(t.importSubscribers)
      .where(isOne(t.importSubscribers.subscriberId)),
  )
  return found
}

/** Deletes some of a job's anchors; false when none were left. */
export async function deleteAnchors(
  { db, tables: { importAnchors: a } }: Handle,
  jobId: string,
  limit: number,
): Promise<boolean> {
  const rows = await db.select({ position: a.position }).from(a).where(eq(a.jobId, jobId)).limit(limit)
  if (rows.length === 0) return false
  await db.delete(a).where(
    inArray(
      a.position,
      rows.map(({ position }) => position),
    ),
  )
  return true
}
