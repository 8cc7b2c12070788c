import { and, desc, eq, inArray, lt, lte, max, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'
import { prepared } from '../../base/db/prepared'
import { type Readable, readEach } from '../../base/db/readable'
import type { FunnelStatus } from '../../core/funnel/model'

export type FunnelRow = Handle['tables']['funnels']['$inferSelect']
export type FunnelVersionRow = Handle['tables']['funnelVersions']['$inferSelect']

/** A project's funnels, by slug. */
export async function listFunnels({ db, tables }: Handle, projectId: string): Promise<FunnelRow[]> {
  const { funnels: f } = tables
  return db.select().from(f).where(eq(f.projectId, projectId)).orderBy(f.slug)
}

export interface FunnelPageOf extends Page {
  /** Null = of any status. */
  status: FunnelStatus | null
}

/** A page of a project's funnels, newest first. */
export async function pageFunnels(
  { db, tables }: Handle,
  projectId: string,
  { beforeId, limit, status }: FunnelPageOf,
): Promise<FunnelRow[]> {
  const { funnels: f } = tables
  const isBefore = beforeId === undefined ? undefined : lt(f.id, beforeId)
  const found = db
    .select()
    .from(f)
    .where(and(eq(f.projectId, projectId), isBefore, status === null ? undefined : eq(f.status, status)))
  return found.orderBy(desc(f.id)).limit(limit)
}

export async function findFunnel({ db, tables }: Handle, projectId: string, id: string): Promise<FunnelRow | null> {
  const { funnels: f } = tables
  const isAsked = and(eq(f.projectId, projectId), eq(f.id, id))
  const [row] = await db.select().from(f).where(isAsked)
  return row ?? null
}

/** How visitors know a funnel; read with every call of a session, and so without the draft. */
export type FunnelName = Pick<FunnelRow, 'id' | 'slug' | 'name'>

export async function findFunnelName(handle: Handle, projectId: string, id: string): Promise<FunnelName | null> {
  const query = prepared(handle, 'funnels.nameById', ({ db, tables: { funnels: f } }) =>
    db
      .select({ id: f.id, slug: f.slug, name: f.name })
      .from(f)
      .where(and(eq(f.projectId, sql.placeholder('projectId')), eq(f.id, sql.placeholder('id'))))
      .prepare(),
  )
  return (await query.execute({ projectId, id }))[0] ?? null
}

/** The versions of a funnel without their documents, newest first. */
export async function listVersions({ db, tables }: Handle, funnelId: string) {
  const { funnelVersions: v } = tables
  const columns = { versionNo: v.versionNo, publishedAt: v.publishedAt, publishedBy: v.publishedBy }
  return db.select(columns).from(v).where(eq(v.funnelId, funnelId)).orderBy(desc(v.versionNo))
}

export async function findVersion(
  { db, tables }: Handle,
  funnelId: string,
  versionNo: number,
): Promise<FunnelVersionRow | null> {
  const { funnelVersions: v } = tables
  const isAsked = and(eq(v.funnelId, funnelId), eq(v.versionNo, versionNo))
  const [row] = await db.select().from(v).where(isAsked)
  return row ?? null
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

/** The published version of the funnel with a slug. */
export async function findPublished(handle: Handle, projectId: string, slug: string): Promise<Published | null> {
  const query = prepared(handle, 'funnels.publishedBySlug', ({ db, tables: { funnels: f, funnelVersions: v } }) => {
    const isAsked = and(eq(f.projectId, sql.placeholder('projectId')), eq(f.slug, sql.placeholder('slug')))
    const columns = { id: f.id, slug: f.slug, name: f.name, versionNo: v.versionNo, document: v.document }
    return db
      .select(columns)
      .from(f)
      .innerJoin(v, and(eq(v.funnelId, f.id), eq(v.versionNo, f.currentVersionNo)))
      .where(and(isAsked, eq(f.status, 'PUBLISHED')))
      .prepare()
  })
  return (await query.execute({ projectId, slug }))[0] ?? null
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

const PRUNED_AT_ONCE = 100

/** The numbers of the oldest versions up to a number, that one included. */
export async function listOldVersions({ db, tables }: Handle, funnelId: string, until: number): Promise<number[]> {
  const { funnelVersions: v } = tables
  const isOld = and(eq(v.funnelId, funnelId), lte(v.versionNo, until))
  const found = db.select({ versionNo: v.versionNo }).from(v).where(isOld).orderBy(desc(v.versionNo))
  return (await found.limit(PRUNED_AT_ONCE)).map(({ versionNo }) => versionNo)
}

export async function deleteVersions({ db, tables }: Handle, funnelId: string, versionNos: number[]): Promise<void> {
  const { funnelVersions: v } = tables
  await db.delete(v).where(and(eq(v.funnelId, funnelId), inArray(v.versionNo, versionNos)))
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
