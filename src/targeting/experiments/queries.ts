import { and, eq, getTableColumns, inArray, lt, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { prepared } from '../../base/db/prepared'
import type { Exposed } from './exposed'
import { readMetrics, readVariants } from './json-columns'
import type { Variant } from './model'
import { OF_VISITOR } from './tables'

export type AssignmentRow = Handle['tables']['assignments']['$inferSelect']
export type ExperimentTableRow = Handle['tables']['experiments']['$inferSelect']

export async function listAssignments({ db, tables }: Handle, subscriberId: string): Promise<AssignmentRow[]> {
  const { assignments: a } = tables
  return db.select().from(a).where(eq(a.subscriberId, subscriberId))
}

/** The variants that a subscriber holds: read for every configuration. */
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

/** Inserts or ignores: existing rows stay. Returns the experiments whose row was inserted. */
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

type AssignmentKey = Pick<AssignmentRow, 'experimentId' | 'subscriberId'>

const isRow = ({ assignments: a }: Handle['tables'], { experimentId, subscriberId }: AssignmentKey) =>
  and(eq(a.experimentId, experimentId), eq(a.subscriberId, subscriberId))

/**
 * Replaces the variant of an assignment, if it is still the given one. Its exposure stays, and then the subscriber has
 * crossed over. False when the assignment has another variant, or does not exist.
 */
export async function replaceVariant(
  { db, tables }: Handle,
  assignment: AssignmentKey & Pick<AssignmentRow, 'variantId' | 'hashVersion' | 'assignedAt'>,
  variantId: string,
): Promise<boolean> {
  const { assignments: a } = tables
  const { assignedAt } = assignment
  const crossedAt = sql`case when ${a.exposedAt} is null then null else coalesce(${a.crossedAt}, ${assignedAt}) end`
  const replaced = await db
    .update(a)
    .set({ variantId: assignment.variantId, hashVersion: assignment.hashVersion, assignedAt, crossedAt })
    .where(and(isRow(tables, assignment), eq(a.variantId, variantId)))
    .returning({ variantId: a.variantId })
  return replaced.length > 0
}

export async function updateAssignment(
  { db, tables }: Handle,
  key: AssignmentKey,
  change: Partial<Exposed>,
): Promise<void> {
  await db.update(tables.assignments).set(change).where(isRow(tables, key))
}

export async function findAssignment(handle: Handle, key: AssignmentKey): Promise<AssignmentRow | null> {
  const query = prepared(handle, 'assignments.one', ({ db, tables }) =>
    db.select().from(tables.assignments).where(isRow(tables, PLACEHOLDERS)).prepare(),
  )
  const [row] = await query.execute({ ...key })
  return row ?? null
}

// drizzle accepts placeholders in place of values, but its types do not say so.
const PLACEHOLDERS = {
  experimentId: sql.placeholder('experimentId'),
  subscriberId: sql.placeholder('subscriberId'),
} as unknown as AssignmentKey

/** An experiment as calls read it. Variants or metrics that were broken by hand are empty, and fail nothing else. */
export type FoundExperiment = Omit<ExperimentTableRow, 'variants' | 'metrics'> & {
  variants: Variant[]
  metrics: string[]
}

/** The experiment of a project that has this id or, where none has, this key. */
export async function findExperiment(
  handle: Handle,
  projectId: string,
  reference: string,
): Promise<FoundExperiment | null> {
  const query = prepared(handle, 'experiments.byReference', ({ db, tables: { experiments: e } }) => {
    const isNamed = or(eq(e.id, sql.placeholder('reference')), eq(e.key, sql.placeholder('reference')))
    const raw = { variants: sql<unknown>`${e.variants}`, metrics: sql<unknown>`${e.metrics}` }
    return db
      .select({ ...getTableColumns(e), ...raw })
      .from(e)
      .where(and(eq(e.projectId, sql.placeholder('projectId')), isNamed))
      .prepare()
  })
  const found = await query.execute({ projectId, reference })
  const row = found.find(({ id }) => id === reference) ?? found[0]
  return row ? { ...row, variants: readVariants(row.variants), metrics: readMetrics(row.metrics) } : null
}

/** The keys of experiments of a project, in no order. */
export async function listKeys({ db, tables }: Handle, projectId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { experiments: e } = tables
  const isNamed = and(eq(e.projectId, projectId), inArray(e.id, [...ids]))
  return (await db.select({ key: e.key }).from(e).where(isNamed)).map(({ key }) => key)
}

/** Deletes old assignments of visitors of the web who have not become subscribers; returns how many. */
export async function deleteVisitorAssignments(
  { db, tables: { assignments: a } }: Handle,
  before: number,
  limit: number,
): Promise<number> {
  const key = { experimentId: a.experimentId, subscriberId: a.subscriberId }
  const rows = await db
    .select(key)
    .from(a)
    .where(and(OF_VISITOR, lt(a.assignedAt, before)))
    .limit(limit)
  for (const { experimentId, subscriberId } of rows)
    await db.delete(a).where(and(eq(a.experimentId, experimentId), eq(a.subscriberId, subscriberId)))
  return rows.length
}
