import { and, countDistinct, eq, gt, inArray } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Observation } from '../../stores/observation'
import { insertObservations, type ObservationRow, type PurchaseRow } from './queries'
import { HAS_FORMER_KEY } from './tables'

/** The original transaction ids of purchases that have a key of before; after the given one, ascending. */
export async function listFormerKeyed(
  { db, tables: { purchases: p } }: Handle,
  projectId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { originalTransactionId: original } = p
  const isNext = and(eq(p.projectId, projectId), HAS_FORMER_KEY, gt(original, after))
  const rows = await db.selectDistinct({ original }).from(p).where(isNext).orderBy(original).limit(limit)
  return rows.map((row) => row.original)
}

/** How many original transaction ids have purchases with a key of before. */
export async function countFormerKeyed({ db, tables: { purchases: p } }: Handle, projectId: string): Promise<number> {
  const isFormer = and(eq(p.projectId, projectId), HAS_FORMER_KEY)
  const [row] = await db
    .select({ count: countDistinct(p.originalTransactionId) })
    .from(p)
    .where(isFormer)
  return row?.count ?? 0
}

/** The projects with a purchase that has a key of before. */
export async function listFormerKeyedProjects({ db, tables: { purchases: p } }: Handle): Promise<string[]> {
  const found: string[] = []
  for (let last = ''; ; ) {
    const isNext = and(HAS_FORMER_KEY, gt(p.projectId, last))
    const [row] = await db.select({ id: p.projectId }).from(p).where(isNext).orderBy(p.projectId).limit(1)
    if (!row) return found
    found.push(row.id)
    last = row.id
  }
}

/** Makes observations those of another purchase. One that it has already stays as it is. */
export async function giveObservations(
  handle: Handle,
  rows: readonly ObservationRow[],
  purchaseId: string,
): Promise<void> {
  if (rows.length === 0) return
  const { observations: o } = handle.tables
  await handle.db.delete(o).where(inArray(o.purchaseId, [...new Set(rows.map((row) => row.purchaseId))]))
  for (const row of rows) await insertObservations(handle, [{ ...row, purchaseId }])
}

/** Replaces what an observation says. */
export async function rewriteObservation(
  { db, tables: { observations: o } }: Handle,
  { purchaseId, kind, id }: Pick<ObservationRow, 'purchaseId' | 'kind' | 'id'>,
  payload: Observation,
): Promise<void> {
  const isOne = and(eq(o.purchaseId, purchaseId), eq(o.kind, kind), eq(o.id, id))
  await db.update(o).set({ payload }).where(isOne)
}

/** Gives the money lines and the names of purchases to another one, and removes the purchases. */
export async function giveRows(
  { db, tables: { purchases: p, purchaseAliases: a, transactions: t } }: Handle,
  ids: readonly string[],
  { id: purchaseId, subscriberId }: Pick<PurchaseRow, 'id' | 'subscriberId'>,
): Promise<void> {
  await db
    .update(t)
    .set({ purchaseId, subscriberId })
    .where(inArray(t.purchaseId, [...ids]))
  await db
    .update(a)
    .set({ purchaseId })
    .where(inArray(a.purchaseId, [...ids]))
  await db.delete(p).where(inArray(p.id, [...ids]))
}
