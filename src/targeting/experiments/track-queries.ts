import { and, asc, count, eq, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Pause } from './conversion'
import type { AssignmentRow, ExperimentTableRow } from './queries'

export type TrackedRow = Omit<Handle['tables']['trackedEvents']['$inferSelect'], 'position'>

export async function insertTracked({ db, tables }: Handle, rows: TrackedRow[]): Promise<void> {
  await db.insert(tables.trackedEvents).values(rows)
}

/** Deletes the oldest events of a subscriber, so that at most this number is left. */
export async function trimTracked({ db, tables }: Handle, subscriberId: string, max: number): Promise<void> {
  const { trackedEvents: t } = tables
  const isOwn = eq(t.subscriberId, subscriberId)
  const [held] = await db.select({ events: count() }).from(t).where(isOwn)
  const over = Number(held?.events ?? 0) - max
  if (over <= 0) return
  const oldest = db.select({ position: t.position }).from(t).where(isOwn).orderBy(asc(t.occurredAt)).limit(over)
  await db.delete(t).where(inArray(t.position, oldest))
}

/** The events of a subscriber since an instant, of all rows that were merged. */
export async function listTracked(
  { db, tables }: Handle,
  subscriberId: string,
  types: readonly string[],
  since: number,
): Promise<TrackedRow[]> {
  const { trackedEvents: t, subscribers: s } = tables
  // A merged row always refers to its survivor directly.
  const merged = await db.select({ id: s.id }).from(s).where(eq(s.mergedInto, subscriberId))
  const isOwn = inArray(t.subscriberId, [subscriberId, ...merged.map(({ id }) => id)])
  return db
    .select()
    .from(t)
    .where(and(isOwn, inArray(t.type, [...types]), gte(t.occurredAt, since)))
}

export interface Candidate {
  assignment: AssignmentRow
  /** The column is not parsed here: a broken one must not fail the others. */
  experiment: Pick<ExperimentTableRow, 'id' | 'key' | 'placementId'> & { metrics: unknown }
}

/**
 * Assignments of a subscriber with an exposure and without a conversion, in experiments that run or pause. The time of
 * an event decides whether it converts.
 */
export async function listCandidates(
  { db, tables }: Handle,
  projectId: string,
  subscriberId: string,
): Promise<Candidate[]> {
  const { assignments: a, experiments: e } = tables
  const isOpen = and(eq(a.subscriberId, subscriberId), isNotNull(a.exposedAt), isNull(a.convertedAt))
  const isAlive = inArray(e.status, ['RUNNING', 'PAUSED'])
  const isRunning = and(eq(e.id, a.experimentId), eq(e.projectId, projectId), isAlive)
  const experiment = { id: e.id, key: e.key, placementId: e.placementId, metrics: sql<unknown>`${e.metrics}` }
  return db.select({ assignment: a, experiment }).from(a).innerJoin(e, isRunning).where(isOpen)
}

export async function listPauses({ db, tables }: Handle, experimentId: string): Promise<Pause[]> {
  const { experimentPauses: p } = tables
  return db.select({ pausedAt: p.pausedAt, resumedAt: p.resumedAt }).from(p).where(eq(p.experimentId, experimentId))
}

/** Deletes some of the events recorded before an instant; returns how many. */
export async function deleteOldTracked({ db, tables }: Handle, before: number, limit: number): Promise<number> {
  const { trackedEvents: t } = tables
  const old = db.select({ position: t.position }).from(t).where(lt(t.recordedAt, before)).limit(limit)
  const deleted = await db.delete(t).where(inArray(t.position, old)).returning({ position: t.position })
  return deleted.length
}
