import { and, count, desc, eq, lt } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'

export type SavedQueryRow = Handle['tables']['savedQueries']['$inferSelect']

/** The newest first. */
export async function pageQueries(
  { db, tables: { savedQueries: q } }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<SavedQueryRow[]> {
  const isBefore = beforeId === undefined ? undefined : lt(q.id, beforeId)
  const found = db
    .select()
    .from(q)
    .where(and(eq(q.projectId, projectId), isBefore))
  return found.orderBy(desc(q.id)).limit(limit)
}

export async function findQuery(
  { db, tables: { savedQueries: q } }: Handle,
  projectId: string,
  id: string,
): Promise<SavedQueryRow | null> {
  const [row] = await db
    .select()
    .from(q)
    .where(and(eq(q.projectId, projectId), eq(q.id, id)))
  return row ?? null
}

export async function countQueries({ db, tables: { savedQueries: q } }: Handle, projectId: string): Promise<number> {
  const [row] = await db.select({ count: count() }).from(q).where(eq(q.projectId, projectId))
  return row?.count ?? 0
}

export async function insertQuery({ db, tables }: Handle, row: SavedQueryRow): Promise<void> {
  await db.insert(tables.savedQueries).values(row)
}

export async function updateQuery(
  { db, tables: { savedQueries: q } }: Handle,
  id: string,
  change: Partial<SavedQueryRow>,
): Promise<void> {
  await db.update(q).set(change).where(eq(q.id, id))
}

export async function deleteQuery({ db, tables: { savedQueries: q } }: Handle, id: string): Promise<void> {
  await db.delete(q).where(eq(q.id, id))
}
