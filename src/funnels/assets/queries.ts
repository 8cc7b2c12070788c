import { and, asc, desc, eq, inArray, lt, sum } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'
import type { KnownAsset } from '../../core/funnel/files'

export type AssetRow = Handle['tables']['assets']['$inferSelect']

export async function insertAsset({ db, tables }: Handle, row: AssetRow): Promise<void> {
  await db.insert(tables.assets).values(row)
}

export async function findAsset({ db, tables }: Handle, projectId: string, id: string): Promise<AssetRow | null> {
  const { assets: a } = tables
  const [row] = await db
    .select()
    .from(a)
    .where(and(eq(a.projectId, projectId), eq(a.id, id)))
  return row ?? null
}

/** A page of a project's files, newest first. */
export async function pageAssets(
  { db, tables }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<AssetRow[]> {
  const { assets: a } = tables
  const isBefore = beforeId === undefined ? undefined : lt(a.id, beforeId)
  const found = db
    .select()
    .from(a)
    .where(and(eq(a.projectId, projectId), isBefore))
  return found.orderBy(desc(a.id)).limit(limit)
}

/** Those of the ids that the project has. */
export async function listAssetsById(
  { db, tables }: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<AssetRow[]> {
  const { assets: a } = tables
  if (ids.length === 0) return []
  return db
    .select()
    .from(a)
    .where(and(eq(a.projectId, projectId), inArray(a.id, [...ids])))
}

/** What publishing has to know of every file of a project, by id. */
export async function listKnown({ db, tables }: Handle, projectId: string): Promise<Map<string, KnownAsset>> {
  const { assets: a } = tables
  const rows = await db.select({ id: a.id, kind: a.kind, alt: a.alt }).from(a).where(eq(a.projectId, projectId))
  return new Map(rows.map(({ id, kind, alt }) => [id, { kind, hasAlt: Object.keys(alt).length > 0 }]))
}

/** The bytes of all files of a project. */
export async function sumBytes({ db, tables }: Handle, projectId: string): Promise<number> {
  const { assets: a } = tables
  const [row] = await db
    .select({ bytes: sum(a.storedBytes) })
    .from(a)
    .where(eq(a.projectId, projectId))
  return Number(row?.bytes ?? 0)
}

/** Every file of a project. */
export async function listAssets({ db, tables }: Handle, projectId: string): Promise<AssetRow[]> {
  const { assets: a } = tables
  return db.select().from(a).where(eq(a.projectId, projectId)).orderBy(asc(a.id))
}

export async function updateAsset({ db, tables }: Handle, id: string, change: Partial<AssetRow>): Promise<void> {
  await db.update(tables.assets).set(change).where(eq(tables.assets.id, id))
}

export async function deleteAsset({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.assets).where(eq(tables.assets.id, id))
}
