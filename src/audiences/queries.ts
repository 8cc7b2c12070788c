import { eq, inArray, sql } from 'drizzle-orm'
import type { Handle } from '../db/handle'

export type AudienceRow = Handle['tables']['audiences']['$inferSelect']

/** A project's audiences, by name. */
export async function listAudiences({ db, tables }: Handle, projectId: string): Promise<AudienceRow[]> {
  const { audiences: a } = tables
  return db.select().from(a).where(eq(a.projectId, projectId)).orderBy(a.name)
}

export async function insertAudiences({ db, tables }: Handle, rows: AudienceRow[]): Promise<void> {
  await db.insert(tables.audiences).values(rows)
}

/** Frees the names of rows that are about to change, so that they can go round within one transaction. */
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
}
