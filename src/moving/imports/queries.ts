import { and, asc, desc, eq, inArray, isNull, lt } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'
import type { ImportStatus } from './model'

export type ImportJobRow = Handle['tables']['importJobs']['$inferSelect']

export async function pageJobs(
  { db, tables: { importJobs: j } }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<ImportJobRow[]> {
  const isBefore = beforeId === undefined ? undefined : lt(j.id, beforeId)
  const found = db.select().from(j)
  return found
    .where(and(eq(j.projectId, projectId), isBefore))
    .orderBy(desc(j.id))
    .limit(limit)
}

export async function findJob(
  { db, tables: { importJobs: j } }: Handle,
  projectId: string,
  id: string,
): Promise<ImportJobRow | null> {
  const isRow = and(eq(j.projectId, projectId), eq(j.id, id))
  return (await db.select().from(j).where(isRow))[0] ?? null
}

export async function insertJob({ db, tables }: Handle, row: ImportJobRow): Promise<void> {
  await db.insert(tables.importJobs).values(row)
}

export async function updateJob({ db, tables }: Handle, id: string, change: Partial<ImportJobRow>): Promise<void> {
  await db.update(tables.importJobs).set(change).where(eq(tables.importJobs.id, id))
}

/** Findings are written as a whole, so that of two writers at once one would write back what the other has taken out. */
export const lockFindings = (tx: Tx, id: string): Promise<void> => tx.lock(`import:${id}`)

/** Changes a job that its owner still works on; false when it was cancelled or another process has taken it over. */
export async function updateOwnJob(
  { db, tables: { importJobs: j } }: Handle,
  { id, owner, status }: Pick<ImportJobRow, 'id' | 'owner' | 'status'>,
  change: Partial<ImportJobRow>,
): Promise<boolean> {
  const isOwn = and(eq(j.id, id), eq(j.owner, owner ?? ''), eq(j.status, status))
  return (await db.update(j).set(change).where(isOwn).returning({ id: j.id })).length > 0
}

/** Jobs of all projects in one of the states. */
export async function listJobsIn(
  { db, tables: { importJobs: j } }: Handle,
  states: readonly ImportStatus[],
): Promise<Pick<ImportJobRow, 'id' | 'projectId' | 'owner' | 'seenAt'>[]> {
  const found = db.select({ id: j.id, projectId: j.projectId, owner: j.owner, seenAt: j.seenAt }).from(j)
  return found.where(inArray(j.status, [...states])).orderBy(asc(j.id))
}

/** Jobs that have ended before an instant and whose files are still there. */
export async function listExpired(
  { db, tables: { importJobs: j } }: Handle,
  states: readonly ImportStatus[],
  before: number,
  limit: number,
): Promise<ImportJobRow[]> {
  const isExpired = and(inArray(j.status, [...states]), lt(j.finishedAt, before), isNull(j.filesDeletedAt))
  return db.select().from(j).where(isExpired).orderBy(asc(j.finishedAt)).limit(limit)
}
