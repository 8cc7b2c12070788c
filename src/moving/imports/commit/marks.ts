import { and, eq, inArray } from 'drizzle-orm'
import { bySome } from '../../../base/db/by-some'
import type { Handle } from '../../../base/db/handle'
import { insertMany } from '../../../base/db/insert-many'
import type { SubscriberBefore } from '../tables'

export type SubscriberMark = Handle['tables']['importSubscribers']['$inferSelect']
export type PurchaseMark = Handle['tables']['importPurchases']['$inferSelect']

// What a job has brought, so that it can be counted once and taken back.

/** Notes subscribers. The first note of a subscriber stays. Returns how many are new. */
export async function markSubscribers(handle: Handle, marks: readonly SubscriberMark[]): Promise<number> {
  const known = await listSubscriberMarks(handle, marks)
  const fresh = marks.filter(({ subscriberId }) => !known.has(subscriberId))
  await insertMany(handle, fresh, {
    name: 'importSubscribers.insertMany',
    jsonColumns: ['before'],
    build: ({ db, tables }, values) => db.insert(tables.importSubscribers).values(values).prepare(),
  })
  for (const { jobId, subscriberId, before } of marks) {
    const mark = known.get(subscriberId)
    if (mark && !mark.isNew && before) await updateBefore(handle, jobId, subscriberId, joined(mark.before, before))
  }
  return fresh.filter(({ isNew }) => isNew).length
}

const joined = (first: SubscriberBefore | null, later: SubscriberBefore): SubscriberBefore =>
  first ? { ...first, attributes: { ...later.attributes, ...first.attributes } } : later

async function listSubscriberMarks(
  { db, tables: { importSubscribers: s } }: Handle,
  marks: readonly SubscriberMark[],
): Promise<Map<string, SubscriberMark>> {
  const jobId = marks[0]?.jobId
  const old = marks.filter(({ isNew }) => !isNew).map(({ subscriberId }) => subscriberId)
  if (jobId === undefined || old.length === 0) return new Map()
  const rows = await bySome(old, (some) =>
    db
      .select()
      .from(s)
      .where(and(eq(s.jobId, jobId), inArray(s.subscriberId, some))),
  )
  return new Map(rows.map((row) => [row.subscriberId, row]))
}

async function updateBefore(
  { db, tables: { importSubscribers: s } }: Handle,
  jobId: string,
  subscriberId: string,
  before: SubscriberBefore,
): Promise<void> {
  await db
    .update(s)
    .set({ before })
    .where(and(eq(s.jobId, jobId), eq(s.subscriberId, subscriberId)))
}

/** A purchase that a job has created, changed or only read again. */
export interface MarkedPurchase extends PurchaseMark {
  isChanged: boolean
}

/** Notes purchases. Returns how many the job has created and how many it has changed, each counted once. */
export async function markPurchases(
  handle: Handle,
  marks: readonly MarkedPurchase[],
): Promise<{ purchasesNew: number; purchasesUpdated: number }> {
  const known = await listPurchaseMarks(handle, marks)
  const fresh = marks.filter(({ purchaseId }) => !known.has(purchaseId))
  await insertMany(
    handle,
    fresh.map(({ isChanged: _isChanged, ...mark }) => mark),
    {
      name: 'importPurchases.insertMany',
      build: ({ db, tables }, values) => db.insert(tables.importPurchases).values(values).prepare(),
    },
  )
  for (const { jobId, purchaseId, repeats } of marks) {
    const before = known.get(purchaseId)?.repeats
    const all = before && [...new Set([...before, ...repeats])]
    if (all && all.length > before.length) await updateRepeats(handle, jobId, purchaseId, all)
  }
  return {
    purchasesNew: fresh.filter(({ isNew }) => isNew).length,
    purchasesUpdated: fresh.filter(({ isNew, isChanged }) => isChanged && !isNew).length,
  }
}

async function listPurchaseMarks(
  { db, tables: { importPurchases: p } }: Handle,
  marks: readonly PurchaseMark[],
): Promise<Map<string, PurchaseMark>> {
  const jobId = marks[0]?.jobId
  const old = marks.filter(({ isNew }) => !isNew).map(({ purchaseId }) => purchaseId)
  if (jobId === undefined || old.length === 0) return new Map()
  const rows = await bySome(old, (some) =>
    db
      .select()
      .from(p)
      .where(and(eq(p.jobId, jobId), inArray(p.purchaseId, some))),
  )
  return new Map(rows.map((row) => [row.purchaseId, row]))
}

async function updateRepeats(
  { db, tables: { importPurchases: p } }: Handle,
  jobId: string,
  purchaseId: string,
  repeats: string[],
): Promise<void> {
  await db
    .update(p)
    .set({ repeats })
    .where(and(eq(p.jobId, jobId), eq(p.purchaseId, purchaseId)))
}
