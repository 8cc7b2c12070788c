import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Handle } from '../db/handle'
import { prepared } from '../db/prepared'

export type AssignmentRow = Handle['tables']['assignments']['$inferSelect']

export async function listAssignments({ db, tables }: Handle, subscriberId: string): Promise<AssignmentRow[]> {
  const { assignments: a } = tables
  return db.select().from(a).where(eq(a.subscriberId, subscriberId))
}

/** Which variants a subscriber holds: read for every configuration. */
export async function listHeld(
  handle: Handle,
  subscriberId: string,
): Promise<Pick<AssignmentRow, 'experimentId' | 'variantId'>[]> {
  const query = prepared(handle, 'assignments.held', ({ db, tables: { assignments: a } }) =>
    db
      .select({ experimentId: a.experimentId, variantId: a.variantId })
      .from(a)
      .where(eq(a.subscriberId, sql.placeholder('subscriberId')))
      .prepare(),
  )
  return query.execute({ subscriberId })
}

/** As `listHeld`, of many subscribers at once. */
export async function listHeldOfAll(
  { db, tables }: Handle,
  subscriberIds: readonly string[],
): Promise<Pick<AssignmentRow, 'subscriberId' | 'experimentId' | 'variantId'>[]> {
  const { assignments: a } = tables
  return db
    .select({ subscriberId: a.subscriberId, experimentId: a.experimentId, variantId: a.variantId })
    .from(a)
    .where(inArray(a.subscriberId, [...subscriberIds]))
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

/** Removes an assignment, if it is still of that variant. */
export async function deleteVariant(
  { db, tables }: Handle,
  { experimentId, subscriberId }: Pick<AssignmentRow, 'experimentId' | 'subscriberId'>,
  variantId: string,
): Promise<void> {
  const { assignments: a } = tables
  const isRow = and(eq(a.experimentId, experimentId), eq(a.subscriberId, subscriberId))
  await db.delete(a).where(and(isRow, eq(a.variantId, variantId)))
}
