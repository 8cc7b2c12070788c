import { and, eq, inArray, max, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { type Readable, readEach } from '../../base/db/readable'

export type FunnelRow = Handle['tables']['funnels']['$inferSelect']
export type FunnelVersionRow = Handle['tables']['funnelVersions']['$inferSelect']

/** A project's funnels, by slug. */
export async function listFunnels({ db, tables }: Handle, projectId: string): Promise<FunnelRow[]> {
  const { funnels: f } = tables
  return db.select().from(f).where(eq(f.projectId, projectId)).orderBy(f.slug)
}

type Published = Pick<FunnelRow, 'id' | 'slug' | 'name'> & Pick<FunnelVersionRow, 'versionNo' | 'document'>

/** Every funnel that is published, with its published version. */
export async function listPublished({ db, tables }: Handle, projectId: string): Promise<Readable<Published>> {
  const { funnels: f, funnelVersions: v } = tables
  const isCurrent = and(eq(v.funnelId, f.id), eq(v.versionNo, f.currentVersionNo))
  const isPublished = and(eq(f.projectId, projectId), eq(f.status, 'PUBLISHED'))
  const columns = { id: f.id, slug: f.slug, name: f.name, versionNo: v.versionNo, document: v.document }
  return readEach(
    (which) => db.select(columns).from(f).innerJoin(v, isCurrent).where(and(isPublished, which)),
    () => db.select({ id: f.id }).from(f).where(isPublished),
    (id) => eq(f.id, id),
  )
}

/** The slugs of the funnels that people can open now. */
export async function listPublishedSlugs({ db, tables }: Handle, projectId: string): Promise<string[]> {
  const { funnels: f } = tables
  const isPublished = and(eq(f.projectId, projectId), eq(f.status, 'PUBLISHED'))
  const rows = await db.select({ slug: f.slug }).from(f).where(isPublished).orderBy(f.slug)
  return rows.map(({ slug }) => slug)
}

/** The published documents, by funnel id. */
export async function listCurrentVersions({ db, tables }: Handle, projectId: string): Promise<FunnelVersionRow[]> {
  const { funnels: f, funnelVersions: v } = tables
  const isCurrent = and(eq(v.funnelId, f.id), eq(v.versionNo, f.currentVersionNo))
  const rows = await db.select({ version: v }).from(f).innerJoin(v, isCurrent).where(eq(f.projectId, projectId))
  return rows.map(({ version }) => version)
}

/** The highest version number of each funnel that has one. */
export async function lastVersionNos(
  { db, tables }: Handle,
  funnelIds: readonly string[],
): Promise<Map<string, number>> {
  const { funnelVersions: v } = tables
  const rows = await db
    .select({ funnelId: v.funnelId, last: max(v.versionNo) })
    .from(v)
    .where(inArray(v.funnelId, [...funnelIds]))
    .groupBy(v.funnelId)
  return new Map(rows.map(({ funnelId, last }) => [funnelId, last ?? 0]))
}

/** Gives the rows that are about to change a temporary slug, so that they can exchange slugs in one transaction. */
export async function releaseFunnels({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  const { funnels: f } = tables
  await db
    .update(f)
    .set({ slug: sql`'~' || ${f.id}` })
    .where(inArray(f.id, [...ids]))
}

export async function insertFunnels({ db, tables }: Handle, rows: FunnelRow[]): Promise<void> {
  await db.insert(tables.funnels).values(rows)
}

export async function updateFunnel({ db, tables }: Handle, id: string, change: Partial<FunnelRow>): Promise<void> {
  await db.update(tables.funnels).set(change).where(eq(tables.funnels.id, id))
}

/** Deletes the funnels with all of their versions. */
export async function deleteFunnels({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  await db.delete(tables.funnelVersions).where(inArray(tables.funnelVersions.funnelId, [...ids]))
  await db.delete(tables.funnels).where(inArray(tables.funnels.id, [...ids]))
}

export async function insertVersions({ db, tables }: Handle, rows: FunnelVersionRow[]): Promise<void> {
  await db.insert(tables.funnelVersions).values(rows)
}

export async function listSlugs({ db, tables }: Handle, projectId: string): Promise<Map<string, string>> {
  const { funnels: f } = tables
  const rows = await db.select({ id: f.id, slug: f.slug }).from(f).where(eq(f.projectId, projectId))
  return new Map(rows.map(({ id, slug }) => [id, slug]))
}

/** What a search reads of a funnel. */
export async function listFunnelNames({ db, tables }: Handle, projectId: string) {
  const { funnels: f } = tables
  return db.select({ id: f.id, slug: f.slug, name: f.name, status: f.status }).from(f).where(eq(f.projectId, projectId))
}
