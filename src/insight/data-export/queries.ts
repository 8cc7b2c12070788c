import { and, asc, desc, eq, isNull, lt, lte, ne, type SQL } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'

export type ScheduleRow = Handle['tables']['exportSchedules']['$inferSelect']
export type RunRow = Handle['tables']['exportRuns']['$inferSelect']

export async function pageSchedules(
  { db, tables: { exportSchedules: e } }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<ScheduleRow[]> {
  const isBefore = beforeId === undefined ? undefined : lt(e.id, beforeId)
  const found = db.select().from(e)
  return found
    .where(and(eq(e.projectId, projectId), isBefore))
    .orderBy(desc(e.id))
    .limit(limit)
}

export async function findSchedule(
  { db, tables: { exportSchedules: e } }: Handle,
  projectId: string,
  id: string,
): Promise<ScheduleRow | null> {
  const isRow = and(eq(e.projectId, projectId), eq(e.id, id))
  return (await db.select().from(e).where(isRow))[0] ?? null
}

export async function insertSchedule({ db, tables }: Handle, row: ScheduleRow): Promise<void> {
  await db.insert(tables.exportSchedules).values(row)
}

export async function updateSchedule({ db, tables }: Handle, id: string, change: Partial<ScheduleRow>): Promise<void> {
  await db.update(tables.exportSchedules).set(change).where(eq(tables.exportSchedules.id, id))
}

export async function deleteSchedule({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.exportSchedules).where(eq(tables.exportSchedules.id, id))
}

/** Schedules whose next run is due, of all projects, the longest due first. */
export async function listDueSchedules(
  { db, tables: { exportSchedules: e } }: Handle,
  now: number,
  limit: number,
): Promise<ScheduleRow[]> {
  const isDue = and(eq(e.isEnabled, true), lte(e.nextRunAt, now))
  return db.select().from(e).where(isDue).orderBy(asc(e.nextRunAt)).limit(limit)
}

/** Moves the next run of a schedule; false when another process has done so. */
export async function moveNextRun(
  { db, tables: { exportSchedules: e } }: Handle,
  { id, nextRunAt }: ScheduleRow,
  next: number,
): Promise<boolean> {
  const isDue = and(eq(e.id, id), eq(e.nextRunAt, nextRunAt), eq(e.isEnabled, true))
  return (await db.update(e).set({ nextRunAt: next }).where(isDue).returning({ id: e.id })).length > 0
}

export async function pageRuns(
  { db, tables: { exportRuns: r } }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<RunRow[]> {
  const isBefore = beforeId === undefined ? undefined : lt(r.id, beforeId)
  const found = db.select().from(r)
  return found
    .where(and(eq(r.projectId, projectId), isBefore))
    .orderBy(desc(r.id))
    .limit(limit)
}

/** Which runs continue each other: the same rows, into the same place. */
export type RunSeries = Pick<RunRow, 'projectId' | 'target' | 'columnSet'>

const isOfSeries = (
  { exportRuns: r }: Handle['tables'],
  { projectId, target, columnSet }: RunSeries,
): SQL | undefined => and(eq(r.projectId, projectId), eq(r.target, target), eq(r.columnSet, columnSet))

/** The newest completed runs of a series. */
export async function listCompletedRuns({ db, tables }: Handle, series: RunSeries, limit: number): Promise<RunRow[]> {
  const { exportRuns: r } = tables
  const found = db.select().from(r)
  return found
    .where(and(isOfSeries(tables, series), eq(r.status, 'COMPLETED')))
    .orderBy(desc(r.id))
    .limit(limit)
}

/** The newest run of a series that did not end; of a schedule, or single ones. */
export async function findOpenRun(
  { db, tables }: Handle,
  series: RunSeries,
  scheduleId: string | null,
): Promise<RunRow | null> {
  const { exportRuns: r } = tables
  const isKind = scheduleId === null ? isNull(r.scheduleId) : eq(r.scheduleId, scheduleId)
  const isOpen = and(isOfSeries(tables, series), isKind, eq(r.status, 'RUNNING'))
  return (await db.select().from(r).where(isOpen).orderBy(desc(r.id)).limit(1))[0] ?? null
}

/** The newest run of a schedule. */
export async function findLastRun(
  { db, tables: { exportRuns: r } }: Handle,
  projectId: string,
  scheduleId: string,
): Promise<RunRow | null> {
  const isOwn = and(eq(r.projectId, projectId), eq(r.scheduleId, scheduleId))
  return (await db.select().from(r).where(isOwn).orderBy(desc(r.id)).limit(1))[0] ?? null
}

export async function insertRun({ db, tables }: Handle, row: RunRow): Promise<void> {
  await db.insert(tables.exportRuns).values(row)
}

export async function updateRun({ db, tables }: Handle, id: string, change: Partial<RunRow>): Promise<void> {
  await db.update(tables.exportRuns).set(change).where(eq(tables.exportRuns.id, id))
}

/** Changes a run that the owner still works on; false when another process has taken it over or ended it. */
export async function updateOwnRun(
  { db, tables: { exportRuns: r } }: Handle,
  { id, owner }: Pick<RunRow, 'id' | 'owner'>,
  change: Partial<RunRow>,
): Promise<boolean> {
  const isOwn = and(eq(r.id, id), eq(r.owner, owner ?? ''), eq(r.status, 'RUNNING'))
  return (await db.update(r).set(change).where(isOwn).returning({ id: r.id })).length > 0
}

/** Ends the runs of a schedule that are still open, when it is deleted or gets another content. */
export async function failOpenRuns(
  { db, tables: { exportRuns: r } }: Handle,
  scheduleId: string,
  error: string,
  now: number,
): Promise<void> {
  const isOpen = and(eq(r.scheduleId, scheduleId), eq(r.status, 'RUNNING'))
  await db.update(r).set({ status: 'FAILED', error, owner: null, finishedAt: now }).where(isOpen)
}

/** Deletes ended runs that started before an instant. */
export async function deleteOldRuns({ db, tables: { exportRuns: r } }: Handle, before: number): Promise<void> {
  await db.delete(r).where(and(ne(r.status, 'RUNNING'), lt(r.startedAt, before)))
}

/** Every schedule of a project, for the doctor. */
export async function listSchedules(
  { db, tables: { exportSchedules: e } }: Handle,
  projectId: string,
): Promise<ScheduleRow[]> {
  return db.select().from(e).where(eq(e.projectId, projectId)).orderBy(asc(e.id))
}
