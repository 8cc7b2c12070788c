import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { ForwardStore } from './tables'

export type ForwardRow = Handle['tables']['notificationForwards']['$inferSelect']

/** The forwards of a project, or of one of its stores, in the order of the project file. */
export async function listForwardRows(
  { db, tables }: Handle,
  projectId: string,
  store?: ForwardStore,
): Promise<ForwardRow[]> {
  const { notificationForwards: f } = tables
  const isOfStore = store === undefined ? undefined : eq(f.store, store)
  return db
    .select()
    .from(f)
    .where(and(eq(f.projectId, projectId), isOfStore))
    .orderBy(asc(f.store), asc(f.place), asc(f.id))
}

/** Returns the rows that were written: another process may have written the same addresses a moment before. */
export async function insertForwards({ db, tables }: Handle, rows: readonly ForwardRow[]): Promise<ForwardRow[]> {
  if (rows.length === 0) return []
  return db
    .insert(tables.notificationForwards)
    .values([...rows])
    .onConflictDoNothing()
    .returning()
}

export async function updateForward({ db, tables }: Handle, id: string, change: Partial<ForwardRow>): Promise<void> {
  await db.update(tables.notificationForwards).set(change).where(eq(tables.notificationForwards.id, id))
}

export async function deleteForwards({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.delete(tables.notificationForwards).where(inArray(tables.notificationForwards.id, [...ids]))
}

export async function findForwardRow({ db, tables }: Handle, id: string): Promise<ForwardRow | null> {
  const [row] = await db.select().from(tables.notificationForwards).where(eq(tables.notificationForwards.id, id))
  return row ?? null
}
