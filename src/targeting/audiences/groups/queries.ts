import { eq, inArray } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'

export type MembersRow = Handle['tables']['audienceMembers']['$inferSelect']

export async function listMembers({ db, tables }: Handle, projectId: string): Promise<MembersRow[]> {
  const { audienceMembers: m } = tables
  return db.select().from(m).where(eq(m.projectId, projectId)).orderBy(m.audienceId)
}

export interface GroupFacts {
  /** How many ids the list has. */
  size: number
}

/** The lists of the audiences of a project without their ids, by audience; those without a list are not in it. */
export async function listGroups({ db, tables }: Handle, projectId: string): Promise<Map<string, GroupFacts>> {
  const { audienceMembers: m } = tables
  const rows = await db.select({ id: m.audienceId, size: m.size }).from(m).where(eq(m.projectId, projectId))
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

export async function putMembers({ db, tables }: Handle, row: MembersRow): Promise<void> {
  const { audienceId: _audienceId, ...changed } = row
  await db
    .insert(tables.audienceMembers)
    .values(row)
    .onConflictDoUpdate({ target: tables.audienceMembers.audienceId, set: changed })
}

export async function deleteMembers({ db, tables }: Handle, audienceIds: readonly string[]): Promise<void> {
  if (audienceIds.length > 0)
    await db.delete(tables.audienceMembers).where(inArray(tables.audienceMembers.audienceId, [...audienceIds]))
}
