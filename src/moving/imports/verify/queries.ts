import { and, asc, count, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { AnchorState } from '../tables'
import type { AskedStore } from './meter'
import type { AnchorRow } from './model'

export async function listPending(
  { db, tables: { importAnchors: a } }: Handle,
  jobId: string,
  store: AskedStore,
  after: number,
  limit: number,
): Promise<AnchorRow[]> {
  const isPending = and(eq(a.jobId, jobId), eq(a.state, 'PENDING'), gt(a.position, after))
  return db
    .select()
    .from(a)
    .where(and(isPending, eq(a.store, store)))
    .orderBy(asc(a.position))
    .limit(limit)
}

export async function countStates(
  { db, tables: { importAnchors: a } }: Handle,
  jobId: string,
): Promise<{ state: AnchorState; reason: string | null; n: number }[]> {
  const columns = { state: a.state, reason: a.error, n: count() }
  return db.select(columns).from(a).where(eq(a.jobId, jobId)).groupBy(a.state, a.error)
}

/** Verified anchors with a note: their purchase belongs to another person. */
export async function countConflicts({ db, tables: { importAnchors: a } }: Handle, jobId: string): Promise<number> {
  const isConflict = and(eq(a.jobId, jobId), eq(a.state, 'VERIFIED'), isNotNull(a.error))
  const [row] = await db.select({ n: count() }).from(a).where(isConflict)
  return row?.n ?? 0
}

/** The anchors about which there is something to say, in their order. */
export async function listNoted(
  { db, tables: { importAnchors: a } }: Handle,
  jobId: string,
  limit: number,
): Promise<AnchorRow[]> {
  const isNoted = and(eq(a.jobId, jobId), isNotNull(a.error))
  return db.select().from(a).where(isNoted).orderBy(asc(a.position)).limit(limit)
}

/** Ends anchors that are pending; one that another run has ended keeps its state. Returns how many it ended. */
export async function settleAnchors(
  { db, tables: { importAnchors: a } }: Handle,
  positions: readonly number[],
  change: Partial<Pick<AnchorRow, 'state' | 'error' | 'purchaseId' | 'attempts'>>,
): Promise<number> {
  const isOpen = and(inArray(a.position, [...positions]), eq(a.state, 'PENDING'))
  return (await db.update(a).set(change).where(isOpen).returning({ position: a.position })).length
}

/** Remembers that the job has touched the purchases, so that it can be taken back. */
export async function rememberPurchases(
  { db, tables: { importPurchases } }: Handle,
  jobId: string,
  touched: readonly { purchaseId: string; isNew: boolean }[],
): Promise<void> {
  if (touched.length === 0) return
  const rows = touched.map((one) => ({ jobId, ...one, repeats: [] }))
  await db.insert(importPurchases).values(rows).onConflictDoNothing()
}
