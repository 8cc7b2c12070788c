import { and, asc, count, eq, inArray } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type FamilyRow = Handle['tables']['fontFamilies']['$inferSelect']
export type FaceRow = Handle['tables']['fontFaces']['$inferSelect']

/** The font families of a project, by name. */
export async function listFamilies({ db, tables }: Handle, projectId: string): Promise<FamilyRow[]> {
  const { fontFamilies: f } = tables
  return db.select().from(f).where(eq(f.projectId, projectId)).orderBy(asc(f.name))
}

export async function findFamily({ db, tables }: Handle, projectId: string, id: string): Promise<FamilyRow | null> {
  const { fontFamilies: f } = tables
  const [row] = await db
    .select()
    .from(f)
    .where(and(eq(f.projectId, projectId), eq(f.id, id)))
  return row ?? null
}

export async function findFamilyNamed({ db, tables }: Handle, projectId: string, name: string) {
  const { fontFamilies: f } = tables
  const [row] = await db
    .select()
    .from(f)
    .where(and(eq(f.projectId, projectId), eq(f.name, name)))
  return row ?? null
}

/** The faces of all families of a project, thin ones first. */
export async function listFaces({ db, tables }: Handle, projectId: string): Promise<FaceRow[]> {
  const { fontFaces: f } = tables
  return db.select().from(f).where(eq(f.projectId, projectId)).orderBy(asc(f.weight), asc(f.style))
}

/** The faces of some families of a project, thin ones first. */
export async function listFacesOf(
  { db, tables }: Handle,
  projectId: string,
  familyIds: readonly string[],
): Promise<FaceRow[]> {
  const { fontFaces: f } = tables
  if (familyIds.length === 0) return []
  return db
    .select()
    .from(f)
    .where(and(eq(f.projectId, projectId), inArray(f.familyId, [...familyIds])))
    .orderBy(asc(f.weight), asc(f.style))
}

export async function findFace({ db, tables }: Handle, projectId: string, id: string): Promise<FaceRow | null> {
  const { fontFaces: f } = tables
  const [row] = await db
    .select()
    .from(f)
    .where(and(eq(f.projectId, projectId), eq(f.id, id)))
  return row ?? null
}

export async function countFaces({ db, tables }: Handle, projectId: string): Promise<number> {
  const { fontFaces: f } = tables
  const [row] = await db.select({ count: count() }).from(f).where(eq(f.projectId, projectId))
  return row?.count ?? 0
}

export async function insertFamily({ db, tables }: Handle, row: FamilyRow): Promise<void> {
  await db.insert(tables.fontFamilies).values(row)
}

export async function deleteFamily({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.fontFaces).where(eq(tables.fontFaces.familyId, id))
  await db.delete(tables.fontFamilies).where(eq(tables.fontFamilies.id, id))
}

export async function insertFace({ db, tables }: Handle, row: FaceRow): Promise<void> {
  await db.insert(tables.fontFaces).values(row)
}

export async function deleteFace({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.fontFaces).where(eq(tables.fontFaces.id, id))
}
