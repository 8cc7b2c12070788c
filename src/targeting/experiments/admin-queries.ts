import { and, asc, count, desc, eq, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'

export type ExperimentTableRow = Handle['tables']['experiments']['$inferSelect']

/** A project's experiments, by key. */
export async function listExperiments({ db, tables }: Handle, projectId: string): Promise<ExperimentTableRow[]> {
  const { experiments: e } = tables
  return db.select().from(e).where(eq(e.projectId, projectId)).orderBy(e.key)
}

export async function pageExperiments(
  { db, tables }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<ExperimentTableRow[]> {
  const { experiments: e } = tables
  const isBefore = beforeId === undefined ? undefined : lt(e.id, beforeId)
  const found = db
    .select()
    .from(e)
    .where(and(eq(e.projectId, projectId), isBefore))
  return found.orderBy(desc(e.id)).limit(limit)
}

/** An experiment by its id or its key. */
export async function findExperiment(
  { db, tables }: Handle,
  projectId: string,
  by: { id: string } | { key: string },
): Promise<ExperimentTableRow | null> {
  const { experiments: e } = tables
  const isIt = 'id' in by ? eq(e.id, by.id) : eq(e.key, by.key)
  const [row] = await db
    .select()
    .from(e)
    .where(and(eq(e.projectId, projectId), isIt))
  return row ?? null
}

/** Every key that an experiment of the project has. */
export async function listExperimentKeys({ db, tables }: Handle, projectId: string): Promise<string[]> {
  const { experiments: e } = tables
  const rows = await db.select({ key: e.key }).from(e).where(eq(e.projectId, projectId))
  return rows.map(({ key }) => key)
}

export async function countRunning({ db, tables }: Handle, projectId: string): Promise<number> {
  const { experiments: e } = tables
  const isRunning = and(eq(e.projectId, projectId), eq(e.status, 'RUNNING'))
  const [row] = await db.select({ count: count() }).from(e).where(isRunning)
  return row?.count ?? 0
}

/**
 * Experiments of live projects whose time to start or to stop has come; those that stop come first, so that others can
 * start.
 */
export async function listDueExperiments(
  { db, tables }: Handle,
  now: number,
): Promise<{ id: string; projectId: string }[]> {
  const { experiments: e, projects: p } = tables
  const startsNow = and(eq(e.status, 'DRAFT'), lte(e.scheduledStartAt, now))
  const stopsNow = and(inArray(e.status, ['RUNNING', 'PAUSED']), lte(e.scheduledStopAt, now))
  return db
    .select({ id: e.id, projectId: e.projectId })
    .from(e)
    .innerJoin(p, eq(p.id, e.projectId))
    .where(and(isNull(p.deletedAt), or(startsNow, stopsNow)))
    .orderBy(asc(sql`case when ${e.status} = 'DRAFT' then 1 else 0 end`), asc(e.scheduledStartAt), asc(e.id))
}

export async function insertExperiments({ db, tables }: Handle, rows: ExperimentTableRow[]): Promise<void> {
  await db.insert(tables.experiments).values(rows)
}

/** Gives the rows that are about to change a temporary key, so that they can exchange keys in one transaction. */
export async function releaseExperiments({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  const { experiments: e } = tables
  await db
    .update(e)
    .set({ key: sql`'~' || ${e.id}` })
    .where(inArray(e.id, [...ids]))
}

export async function updateExperiment(
  { db, tables }: Handle,
  id: string,
  change: Partial<ExperimentTableRow>,
): Promise<void> {
  const { variants, metrics, ...others } = change
  // A JSON null that was written by hand is left as it is: the column cannot be written with it.
  const lists = { ...(variants && { variants }), ...(metrics && { metrics }) }
  await db
    .update(tables.experiments)
    .set({ ...others, ...lists })
    .where(eq(tables.experiments.id, id))
}

export async function deleteExperiments({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  await db.delete(tables.experiments).where(inArray(tables.experiments.id, [...ids]))
}

/** What a search reads of an experiment. */
export async function listExperimentNames({ db, tables }: Handle, projectId: string) {
  const { experiments: e } = tables
  return db.select({ id: e.id, key: e.key, name: e.name, status: e.status }).from(e).where(eq(e.projectId, projectId))
}
