import { eq, inArray, sql } from 'drizzle-orm'
import type { Handle } from '../db/handle'

export type ExperimentTableRow = Handle['tables']['experiments']['$inferSelect']

/** A project's experiments, by key. */
export async function listExperiments({ db, tables }: Handle, projectId: string): Promise<ExperimentTableRow[]> {
  const { experiments: e } = tables
  return db.select().from(e).where(eq(e.projectId, projectId)).orderBy(e.key)
}

export async function insertExperiments({ db, tables }: Handle, rows: ExperimentTableRow[]): Promise<void> {
  await db.insert(tables.experiments).values(rows)
}

/** Frees the keys of rows that are about to change, so that they can go round within one transaction. */
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
  await db.update(tables.experiments).set(change).where(eq(tables.experiments.id, id))
}

export async function deleteExperiments({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  await db.delete(tables.experiments).where(inArray(tables.experiments.id, [...ids]))
}
