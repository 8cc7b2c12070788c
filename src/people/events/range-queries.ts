import { and, asc, count, desc, eq, gt, gte, inArray, lt, lte, min } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { PurchaseEnvironment } from '../../stores/observation'
import { columnsOf, type EventRow } from './queries'

export async function findEvent({ db, tables }: Handle, projectId: string, id: string): Promise<EventRow | null> {
  const { events: e } = tables
  const [row] = await db
    .select(columnsOf(e))
    .from(e)
    .where(and(eq(e.id, id), eq(e.projectId, projectId)))
  return row ?? null
}

/** The first event of a project at or after a position. */
async function firstFrom({ db, tables }: Handle, projectId: string, position: number) {
  const { events: e } = tables
  const [row] = await db
    .select({ position: e.position, recordedAt: e.recordedAt })
    .from(e)
    .where(and(eq(e.projectId, projectId), gte(e.position, position)))
    .orderBy(asc(e.position))
    .limit(1)
  return row ?? null
}

/**
 * The lowest position up to `head` at which, and after which, the project's events were recorded at or after an instant;
 * `head + 1` when there is none. Where events of nearly one moment were written in another order, it is one of several.
 */
export async function positionAt(handle: Handle, projectId: string, instant: number, head: number): Promise<number> {
  let [low, high] = [0, head + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = await firstFrom(handle, projectId, middle)
    if (!row || row.recordedAt >= instant) high = middle
    else low = row.position + 1
  }
  return low
}

/** Positions above `after` up to `until`, and of those the events that were recorded between two instants, both included. */
export interface EventRange {
  projectId: string
  after: number
  until: number
  from: number
  to: number
}

export async function listRange({ db, tables }: Handle, range: EventRange, limit: number): Promise<EventRow[]> {
  const { events: e } = tables
  return db.select(columnsOf(e)).from(e).where(inPositions(e, range)).orderBy(asc(e.position)).limit(limit)
}

export interface EventGroup {
  type: string
  environment: PurchaseEnvironment
  count: number
  /** The position of the first event of the group. */
  first: number
}

/** How many events of each type and environment are in a range. */
export async function countRange({ db, tables }: Handle, range: EventRange): Promise<EventGroup[]> {
  const { events: e } = tables
  const isIn = and(inPositions(e, range), gte(e.recordedAt, range.from), lte(e.recordedAt, range.to))
  const rows = await db
    .select({ type: e.type, environment: e.environment, count: count(), first: min(e.position) })
    .from(e)
    .where(isIn)
    .groupBy(e.type, e.environment)
  return rows.map((row) => ({ ...row, first: row.first ?? 0 }))
}

const inPositions = (e: Handle['tables']['events'], { projectId, after, until }: EventRange) =>
  and(eq(e.projectId, projectId), gt(e.position, after), lte(e.position, until))

/** What a list of events reads to find those that it shows. `place` is what the list is ordered by. */
export type EventHead = Pick<EventRow, 'position' | 'projectId' | 'type' | 'environment'> & { place: number }

/** A project's events, or those of one subscriber, before a place, newest first. */
export async function listHeads(
  { db, tables }: Handle,
  { projectId, subscriberId }: { projectId: string; subscriberId: string | null },
  before: number | null,
  limit: number,
): Promise<EventHead[]> {
  const { events: e } = tables
  const place = subscriberId === null ? e.position : e.seq
  const own = subscriberId === null ? eq(e.projectId, projectId) : eq(e.subscriberId, subscriberId)
  const rows = await db
    .select({ position: e.position, projectId: e.projectId, type: e.type, environment: e.environment, place })
    .from(e)
    .where(and(own, before === null ? undefined : lt(place, before)))
    .orderBy(desc(place))
    .limit(limit)
  return rows.map((row) => ({ ...row, place: row.place ?? 0 })) // A subscriber's events have a `seq`.
}

/** The environments of events, by id. Events that are not kept any more are left out. */
export async function listEnvironments(
  { db, tables }: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, PurchaseEnvironment>> {
  if (ids.length === 0) return new Map()
  const { events: e } = tables
  const rows = await db
    .select({ id: e.id, environment: e.environment })
    .from(e)
    .where(and(eq(e.projectId, projectId), inArray(e.id, [...ids])))
  return new Map(rows.map(({ id, environment }) => [id, environment]))
}
