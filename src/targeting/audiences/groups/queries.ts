import { eq, inArray } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'

export type MembersRow = Handle['tables']['audienceMembers']['$inferSelect']

export async function listMembers({ db, tables }: Handle, projectId: string): Promise<MembersRow[]> {
  const { audienceMembers: m } = tables
  return db.select().from(m).where(eq(m.projectId, projectId)).orderBy(m.audienceId)
}

/** How many ids the audiences of a project have, by audience; those without a list are not in it. */
export async function countMembers({ db, tables }: Handle, projectId: string): Promise<Map<string, number>> {
  const { audienceMembers: m } = tables
  const rows = await db.select({ id: m.audienceId, size: m.size }).from(m).where(eq(m.projectId, projectId))
  return new Map(rows.map(({ id, size }) => [id, size]))
}

export async function putMembers({ db, tables }: Handle, row: MembersRow): Promise<void> {
  const { audienceId: _audienceId, ...changed } = row
  await db
    .insert(tables.audienceMembers)
    .values(row)
    .onConflictDoUpdate({ target: tables.audienceMembers.audienceId, set: changed })
}

/** Does nothing where the list was deleted meanwhile. */
export async function updateMembers(
  { db, tables: { audienceMembers: m } }: Handle,
  audienceId: string,
  change: Partial<MembersRow>,
): Promise<void> {
  await db.update(m).set(change).where(eq(m.audienceId, audienceId))
}

export async function deleteMembers({ db, tables }: Handle, audienceIds: readonly string[]): Promise<void> {
  if (audienceIds.length > 0)
    await db.delete(tables.audienceMembers).where(inArray(tables.audienceMembers.audienceId, [...audienceIds]))
}
