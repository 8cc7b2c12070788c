import { and, count, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { prepared, preparedRows } from '../../base/db/prepared'
import { DAY } from '../../base/lib/clock'

export type ClientEventRow = Omit<Handle['tables']['clientEvents']['$inferSelect'], 'position'>

/** Whether a project has an event of this id that was recorded after an instant. */
export async function hasEventSince(
  handle: Handle,
  projectId: string,
  eventId: string,
  since: number,
): Promise<boolean> {
  const query = prepared(handle, 'clientEvents.byId', ({ db, tables: { clientEvents: e } }) => {
    const { projectId, eventId, since } = PLACEHOLDERS
    const isEvent = and(eq(e.projectId, projectId), eq(e.eventId, eventId), gt(e.recordedAt, since))
    return db.select({ position: e.position }).from(e).where(isEvent).limit(1).prepare()
  })
  return (await query.execute({ projectId, eventId, since })).length > 0
}

const PLACEHOLDERS = {
  projectId: sql.placeholder('projectId'),
  eventId: sql.placeholder('eventId'),
  since: sql.placeholder('since'),
}

/** Returns the position of the row. */
export async function insertClientEvent(handle: Handle, row: ClientEventRow): Promise<number> {
  const { shape, values, params } = preparedRows([row])
  const build = ({ db, tables: { clientEvents: e } }: Handle) =>
    db.insert(e).values(values()).returning({ position: e.position }).prepare()
  const [made] = await prepared(handle, `clientEvents.insert ${shape}`, build).execute(params)
  if (!made) throw new Error('an inserted event has no position')
  return made.position
}

/** Returns the instants at which the deleted events were recorded. */
export async function deleteClientEvents({ db, tables }: Handle, subscriberIds: readonly string[]): Promise<number[]> {
  const { clientEvents: e } = tables
  const isOwn = inArray(e.subscriberId, [...subscriberIds])
  const deleted = await db.delete(e).where(isOwn).returning({ recordedAt: e.recordedAt })
  return deleted.map(({ recordedAt }) => recordedAt)
}

/**
 * Deletes at most `limit` events of a project that were recorded before an instant; returns the instants at which they
 * were recorded.
 */
export async function deleteEventsBefore(
  { db, tables }: Handle,
  projectId: string,
  before: number,
  limit: number,
): Promise<number[]> {
  const { clientEvents: e } = tables
  const old = db
    .select({ position: e.position })
    .from(e)
    .where(and(eq(e.projectId, projectId), lt(e.recordedAt, before)))
    .limit(limit)
  const deleted = await db.delete(e).where(inArray(e.position, old)).returning({ recordedAt: e.recordedAt })
  return deleted.map(({ recordedAt }) => recordedAt)
}

/** How many events a project has of each UTC day of a range, by the instant at which they were recorded. */
export async function countClientEvents(
  { db, tables: { clientEvents: e } }: Handle,
  projectId: string,
  [first, last]: readonly [first: number, last: number],
): Promise<Map<number, number>> {
  const day = sql<number>`${e.recordedAt} / ${sql.raw(String(DAY))}`.mapWith(Number)
  const isInside = and(eq(e.projectId, projectId), gte(e.recordedAt, first * DAY), lt(e.recordedAt, (last + 1) * DAY))
  const rows = await db.select({ day, count: count() }).from(e).where(isInside).groupBy(day)
  return new Map(rows.map((row) => [row.day, row.count]))
}
