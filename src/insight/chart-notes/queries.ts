import { and, count, desc, eq, lt } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'
import { isBefore } from '../../base/db/range'

export type ViewRow = Handle['tables']['chartViews']['$inferSelect']
export type AnnotationRow = Handle['tables']['chartAnnotations']['$inferSelect']

/** Saved views, the newest first. */
export async function pageViews(
  { db, tables }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<ViewRow[]> {
  const { chartViews: v } = tables
  const isEarlier = beforeId === undefined ? undefined : lt(v.id, beforeId)
  return db
    .select()
    .from(v)
    .where(and(eq(v.projectId, projectId), isEarlier))
    .orderBy(desc(v.id))
    .limit(limit)
}

export async function countViews({ db, tables }: Handle, projectId: string): Promise<number> {
  const { chartViews: v } = tables
  const [row] = await db.select({ count: count() }).from(v).where(eq(v.projectId, projectId))
  return row?.count ?? 0
}

export async function findView({ db, tables }: Handle, projectId: string, id: string): Promise<ViewRow | null> {
  const { chartViews: v } = tables
  const [row] = await db
    .select()
    .from(v)
    .where(and(eq(v.projectId, projectId), eq(v.id, id)))
  return row ?? null
}

export async function insertView({ db, tables }: Handle, row: ViewRow): Promise<void> {
  await db.insert(tables.chartViews).values(row)
}

export async function deleteViewRow({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.chartViews).where(eq(tables.chartViews.id, id))
}

/** Annotations before a position (instant and id), the latest first. */
export async function pageAnnotations(
  { db, tables }: Handle,
  projectId: string,
  before: readonly [number, string] | null,
  limit: number,
): Promise<AnnotationRow[]> {
  const { chartAnnotations: a } = tables
  const isEarlier = before === null ? undefined : isBefore([a.at, a.id], before)
  return db
    .select()
    .from(a)
    .where(and(eq(a.projectId, projectId), isEarlier))
    .orderBy(desc(a.at), desc(a.id))
    .limit(limit)
}

export async function countAnnotations({ db, tables }: Handle, projectId: string): Promise<number> {
  const { chartAnnotations: a } = tables
  const [row] = await db.select({ count: count() }).from(a).where(eq(a.projectId, projectId))
  return row?.count ?? 0
}

export async function findAnnotation(
  { db, tables }: Handle,
  projectId: string,
  id: string,
): Promise<AnnotationRow | null> {
  const { chartAnnotations: a } = tables
  const [row] = await db
    .select()
    .from(a)
    .where(and(eq(a.projectId, projectId), eq(a.id, id)))
  return row ?? null
}

export async function insertAnnotation({ db, tables }: Handle, row: AnnotationRow): Promise<void> {
  await db.insert(tables.chartAnnotations).values(row)
}

export async function deleteAnnotationRow({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.chartAnnotations).where(eq(tables.chartAnnotations.id, id))
}
