import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { PurchaseRow } from '../../people/purchases/queries'

/** The projects that were not searched to the end. */
export async function listUnsearched({ db, tables: { projects: p, chargeRepairs: c } }: Handle): Promise<string[]> {
  const isDone = and(eq(c.projectId, p.id), eq(c.isDone, true))
  const rows = await db.select({ id: p.id }).from(p).leftJoin(c, isDone).where(isNull(c.projectId)).orderBy(p.id)
  return rows.map(({ id }) => id)
}

/** The last original transaction id of a project that was looked at; empty before the first one. */
export async function readSearched(
  { db, tables: { chargeRepairs: c } }: Handle,
  projectId: string,
): Promise<{ upTo: string; isDone: boolean }> {
  const [row] = await db.select().from(c).where(eq(c.projectId, projectId))
  return row ?? { upTo: '', isDone: false }
}

export async function saveSearched(
  { db, tables: { chargeRepairs: c } }: Tx,
  row: { projectId: string; upTo: string; isDone: boolean },
): Promise<void> {
  const { upTo, isDone } = row
  await db.insert(c).values(row).onConflictDoUpdate({ target: c.projectId, set: { upTo, isDone } })
}

/** Original transaction ids of a project at the App Store; after the given one, ascending. */
export async function listOriginals(
  { db, tables: { purchases: p } }: Handle,
  projectId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { originalTransactionId: original } = p
  const isNext = and(eq(p.projectId, projectId), eq(p.store, 'IOS_STORE'), gt(original, after))
  const rows = await db.selectDistinct({ original }).from(p).where(isNext).orderBy(original).limit(limit)
  return rows.map((row) => row.original)
}

/** The purchases with these original transaction ids. */
export const listOfOriginals = (
  { db, tables: { purchases: p } }: Handle,
  projectId: string,
  originals: readonly string[],
): Promise<PurchaseRow[]> => {
  const isOne = and(eq(p.projectId, projectId), eq(p.store, 'IOS_STORE'))
  return db
    .select()
    .from(p)
    .where(and(isOne, inArray(p.originalTransactionId, [...originals])))
    .orderBy(p.id)
}

/** Purchases at the App Store with ids of copies among their names; by purchase id, after the given one. */
export async function listCopied(
  { db, tables: { purchases: p, purchaseAliases: a } }: Handle,
  projectId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const isCopied = and(eq(a.projectId, projectId), eq(a.store, 'IOS_STORE'), gt(a.purchaseId, after))
  const rows = await db
    .selectDistinct({ id: a.purchaseId })
    .from(a)
    .innerJoin(p, eq(p.id, a.purchaseId))
    .where(isCopied)
    .orderBy(a.purchaseId)
    .limit(limit)
  return rows.map(({ id }) => id)
}
