import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'

export type AudienceRow = Handle['tables']['audiences']['$inferSelect']

/** A project's audiences, by name. */
export async function listAudiences({ db, tables }: Handle, projectId: string): Promise<AudienceRow[]> {
  const { audiences: a } = tables
  return db.select().from(a).where(eq(a.projectId, projectId)).orderBy(a.name)
}

export async function pageAudiences(
  { db, tables }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<AudienceRow[]> {
  const { audiences: a } = tables
  const isBefore = beforeId === undefined ? undefined : lt(a.id, beforeId)
  const found = db
    .select()
    .from(a)
    .where(and(eq(a.projectId, projectId), isBefore))
  return found.orderBy(desc(a.id)).limit(limit)
}

export async function findAudience({ db, tables }: Handle, projectId: string, id: string): Promise<AudienceRow | null> {
  const { audiences: a } = tables
  const [row] = await db
    .select()
    .from(a)
    .where(and(eq(a.projectId, projectId), eq(a.id, id)))
  return row ?? null
}

/** The names of a project's audiences, by id. */
export async function listAudienceNames({ db, tables }: Handle, projectId: string): Promise<Map<string, string>> {
  const { audiences: a } = tables
  const rows = await db.select({ id: a.id, name: a.name }).from(a).where(eq(a.projectId, projectId))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function insertAudiences({ db, tables }: Handle, rows: AudienceRow[]): Promise<void> {
  await db.insert(tables.audiences).values(rows)
}

/** Gives the rows that are about to change a temporary name, so that they can exchange names in one transaction. */
export async function releaseAudiences({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  const { audiences: a } = tables
  await db
    .update(a)
    .set({ name: sql`'~' || ${a.id}` })
    .where(inArray(a.id, [...ids]))
}

export async function updateAudience({ db, tables }: Handle, id: string, change: Partial<AudienceRow>): Promise<void> {
  await db.update(tables.audiences).set(change).where(eq(tables.audiences.id, id))
}

export async function deleteAudiences({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  await db.delete(tables.audiences).where(inArray(tables.audiences.id, [...ids]))
  await db.delete(tables.audienceMembers).where(inArray(tables.audienceMembers.audienceId, [...ids]))
}
