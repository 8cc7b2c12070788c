import { and, eq, inArray } from 'drizzle-orm'
import type { Handle } from '../db/handle'

export type AssignmentRow = Handle['tables']['assignments']['$inferSelect']

export async function listAssignments({ db, tables }: Handle, subscriberId: string): Promise<AssignmentRow[]> {
  const { assignments: a } = tables
  return db.select().from(a).where(eq(a.subscriberId, subscriberId))
}

/** Insert-or-ignore: the row that is there wins. Returns the experiments whose row was taken. */
export async function insertAssignments({ db, tables }: Handle, rows: AssignmentRow[]): Promise<string[]> {
  const { assignments: a } = tables
  const inserted = await db.insert(a).values(rows).onConflictDoNothing().returning({ experimentId: a.experimentId })
  return inserted.map(({ experimentId }) => experimentId)
}

export async function deleteAssignments(
  { db, tables }: Handle,
  subscriberId: string,
  experimentIds: readonly string[],
): Promise<void> {
  const { assignments: a } = tables
  await db.delete(a).where(and(eq(a.subscriberId, subscriberId), inArray(a.experimentId, [...experimentIds])))
}
