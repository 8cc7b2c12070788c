import { and, asc, count, desc, eq, getTableColumns, gt, gte, inArray, lt, lte, max, or, sql } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import { exactJson } from '../../base/db/exact'
import type { Handle } from '../../base/db/handle'
import { insertMany } from '../../base/db/insert-many'
import { executeOne, prepared, preparedRows } from '../../base/db/prepared'
import { DAY } from '../../base/lib/clock'
import { countUsage } from '../../projects/usage/service'
import type { AccessMap } from '../subscribers/access-map'
import type { FeedFilter } from './feed-cursor'

export type EventRow = Handle['tables']['events']['$inferSelect']

/** Balances and amounts in events can have 64 bits. */
export const columnsOf = (e: Handle['tables']['events']) => ({
  ...getTableColumns(e),
  before: exactJson(e.before),
  after: exactJson(e.after),
  data: exactJson(e.data),
})

/**
 * Takes the next `count` numbers of a subscriber's sequence and returns the last of them. Also saves the published
 * access, unless it is null (unchanged). The row stays locked until the commit. Announces the positions of the events that
 * get these numbers.
 */
export async function raiseSeq(
  tx: Tx,
  subscriberId: string,
  count: number,
  toldAccess: AccessMap | null,
): Promise<number> {
  const name = toldAccess === null ? 'subscribers.raiseSeq' : 'subscribers.raiseSeqAndTell'
  const query = prepared(tx, name, ({ db, tables: { subscribers: s } }) => {
    const raised = { seq: sql`${s.seq} + ${sql.placeholder('count')}` }
    // Drizzle's types expect a value here; at run time it accepts a placeholder too.
    const set = toldAccess === null ? raised : { ...raised, toldAccess: sql.placeholder('toldAccess') as never }
    return db
      .update(s)
      .set(set)
      .where(eq(s.id, sql.placeholder('subscriberId')))
      .returning({ seq: s.seq, ...(tx.needsLocks && { announced: sql<null>`(${ANNOUNCEMENT})` }) })
      .prepare()
  })
  const row = await executeOne(query, { subscriberId, count, toldAccess })
  if (!row) throw new Error(`subscriber ${subscriberId} is gone`)
  return row.seq
}

/** Inserts events whose positions are announced; those with a `seq` are by `raiseSeq`. */
export async function insertEvents(tx: Tx, rows: Omit<EventRow, 'position'>[]): Promise<void> {
  const { shape, values, params } = preparedRows(rows)
  const build = ({ db, tables }: Handle) => db.insert(tables.events).values(values()).prepare()
  await prepared(tx, `events.insert ${shape}`, build).execute(params)
  await afterInsert(tx, rows)
}

/** Like `insertEvents`, with few statements for any number of rows. */
export async function insertManyEvents(tx: Tx, rows: readonly Omit<EventRow, 'position'>[]): Promise<void> {
  if (rows.length === 0) return
  await insertMany(tx, rows, {
    name: 'events.insertMany',
    jsonColumns: ['before', 'after'],
    build: ({ db, tables }, values) => db.insert(tables.events).values(values).prepare(),
  })
  await afterInsert(tx, rows)
}

async function afterInsert(tx: Tx, rows: readonly Omit<EventRow, 'position'>[]): Promise<void> {
  tx.onEvents?.(rows)
  await countEvents(tx, rows)
  notifyFeeds(tx, rows)
}

type Counted = Pick<EventRow, 'projectId' | 'recordedAt'>

/** Nearly always all of them are of one project and were recorded at one instant. */
async function countEvents(tx: Tx, rows: readonly Counted[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const isSame = ({ projectId, recordedAt }: Counted) =>
    projectId === first.projectId && recordedAt === first.recordedAt
  const same = rows.filter(isSame)
  await countUsage(tx, first.projectId, 'events', first.recordedAt, same.length)
  if (same.length < rows.length)
    await countEvents(
      tx,
      rows.filter((row) => !isSame(row)),
    )
}

function notifyFeeds(tx: Tx, rows: readonly Pick<EventRow, 'projectId'>[]): void {
  const projectIds = new Set(rows.map(({ projectId }) => projectId))
  for (const projectId of projectIds) tx.afterCommit(() => tx.state.feedSignal.notify(projectId))
}

const LAST_POSITION = sql`coalesce(pg_sequence_last_value('events_position_seq'), 0)`

/**
 * Bits of a position in each half of an advisory lock's key, 62 bits in all. Only these locks have a key of two halves.
 */
const HALF = 31
const HALVES = sql`(last >> ${sql.raw(String(HALF))})::int, (last & 2147483647)::int`

/**
 * Postgres numbers events when they are written, not when they are committed. A reader could read 6, continue after it,
 * and never read 5, whose transaction commits later. So before a transaction writes events, it takes a shared lock whose
 * key is the last position given out so far, and holds it to its end. All its positions will be higher than that. See
 * `readFeedHead`.
 */
const ANNOUNCEMENT = sql`select pg_advisory_xact_lock_shared(${HALVES}) from (select ${LAST_POSITION} as last) as given`

/** Announces the positions of events that have no `seq`. Does nothing where the database allows one writer. */
export async function announcePositions(tx: Tx): Promise<void> {
  if (!tx.needsLocks) return
  const query = prepared(tx, 'events.announce', ({ db }) =>
    db
      .select({ announced: sql<null>`(${ANNOUNCEMENT})` })
      .from(sql`(select 1) as one`)
      .prepare(),
  )
  await query.execute()
}

/**
 * The position up to which a project's feed can never change again. On SQLite there is one writer, so positions are in
 * commit order, and the result is the last position. On Postgres it is the last position given out, or the lowest one
 * that an open transaction has announced, if that is lower.
 *
 * The order of the two queries matters. A transaction that got a position up to the first answer announced it before.
 * So either the second query shows the announcement, or the transaction has ended and a later read shows its rows.
 */
export async function readFeedHead({ db, tables }: Handle, isPostgres: boolean, projectId: string): Promise<number> {
  if (!isPostgres) {
    const { events: e } = tables
    const last = db.select({ position: max(e.position) }).from(e)
    const [row] = await last.where(eq(e.projectId, projectId))
    return row?.position ?? 0
  }
  const given = await db.select({ last: sql<string>`last` }).from(sql`(select ${LAST_POSITION} as last) as given`)
  const announced = sql<string | null>`min((classid::bigint << ${sql.raw(String(HALF))}) | objid::bigint)`
  const isAnnouncement = sql`locktype = 'advisory' and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())`
  const open = await db.select({ lowest: announced }).from(sql`pg_locks`).where(isAnnouncement)
  const last = Number(given[0]?.last ?? 0)
  return Math.min(last, Number(open[0]?.lowest ?? last))
}

interface FeedWindow {
  /** Positions above this one, up to `head`. */
  after: number
  head: number
  limit: number
  /** Only events recorded at or after this instant; null = all events. */
  keptSince: number | null
}

/**
 * A project's events in the order of their positions. For one subscriber, the project and the position are written as
 * expressions. Then neither database can use the feed's index, which would read the events of all subscribers.
 */
export async function listFeed(
  { db, tables }: Handle,
  { projectId, types, subscriberId }: FeedFilter,
  { after, head, limit, keptSince }: FeedWindow,
): Promise<EventRow[]> {
  const { events: e } = tables
  const isOfAll = subscriberId === null
  const position = isOfAll ? sql`${e.position}` : sql`+${e.position}`
  const isMatch = and(
    eq(isOfAll ? sql`${e.projectId}` : sql`${e.projectId} || ''`, projectId),
    gt(position, after),
    lte(position, head),
    isOfAll ? undefined : eq(e.subscriberId, subscriberId),
    keptSince === null ? undefined : gte(e.recordedAt, keptSince),
    isOneOf(e.type, types),
  )
  return db.select(columnsOf(e)).from(e).where(isMatch).orderBy(asc(position)).limit(limit)
}

/** `purchase.*` matches every type with this prefix; an empty list matches every type. */
function isOneOf(column: Handle['tables']['events']['type'], types: readonly string[]) {
  const exact = types.filter((type) => !type.endsWith('*'))
  const begun = types.filter((type) => type.endsWith('*'))
  const isBegun = begun.map((type) => sql`${column} like ${toPattern(type)} escape '!'`)
  return or(exact.length > 0 ? inArray(column, exact) : undefined, ...isBegun)
}

const toPattern = (type: string): string => `${type.slice(0, -1).replace(/[!_%]/g, '!$&')}%`

export async function listEventsAt(handle: Handle, positions: readonly number[]): Promise<EventRow[]> {
  if (positions.length === 0) return []
  const at = Object.fromEntries(positions.map((position, index) => [`at${index}`, position]))
  const query = prepared(handle, `events.at ${positions.length}`, ({ db, tables: { events: e } }) =>
    db
      .select(columnsOf(e))
      .from(e)
      .where(
        inArray(
          e.position,
          Object.keys(at).map((name) => sql.placeholder(name)),
        ),
      )
      .prepare(),
  )
  return query.execute(at)
}

/** A subscriber's events, oldest first. */
export async function listEventsOf({ db, tables }: Handle, subscriberId: string): Promise<EventRow[]> {
  const { events: e } = tables
  return db.select(columnsOf(e)).from(e).where(eq(e.subscriberId, subscriberId)).orderBy(asc(e.seq))
}

/** A subscriber's events with a lower `seq`, newest first. */
export async function listNewestEventsOf(
  { db, tables }: Handle,
  subscriberId: string,
  beforeSeq: number | null,
  limit: number,
): Promise<EventRow[]> {
  const { events: e } = tables
  const isEarlier = beforeSeq === null ? undefined : lt(e.seq, beforeSeq)
  const found = db.select(columnsOf(e)).from(e)
  return found
    .where(and(eq(e.subscriberId, subscriberId), isEarlier))
    .orderBy(desc(e.seq))
    .limit(limit)
}

/** The types of a subscriber's events after a number of its sequence, in their order. */
export async function listEventTypesAfter(
  { db, tables }: Handle,
  subscriberId: string,
  seq: number,
): Promise<string[]> {
  const { events: e } = tables
  const rows = await db
    .select({ type: e.type })
    .from(e)
    .where(and(eq(e.subscriberId, subscriberId), gt(e.seq, seq)))
    .orderBy(asc(e.seq))
  return rows.map(({ type }) => type)
}

const ABOUT_ACCESS = ['purchase.*', 'entitlement.*', 'subscriber.transferred']

/** The newest `limit` events of a subscriber that can change access, oldest first. */
export async function listAccessEvents(
  { db, tables }: Handle,
  subscriberId: string,
  limit: number,
): Promise<EventRow[]> {
  const { events: e } = tables
  const isMatch = and(eq(e.subscriberId, subscriberId), isOneOf(e.type, ABOUT_ACCESS))
  const newest = await db.select(columnsOf(e)).from(e).where(isMatch).orderBy(desc(e.seq)).limit(limit)
  return newest.reverse()
}

/** The first events of a project after a position; only the columns that retention needs. */
export async function listOldest(
  { db, tables }: Handle,
  projectId: string,
  after: number,
  limit: number,
): Promise<Pick<EventRow, 'position' | 'recordedAt'>[]> {
  const { events: e } = tables
  return db
    .select({ position: e.position, recordedAt: e.recordedAt })
    .from(e)
    .where(and(eq(e.projectId, projectId), gt(e.position, after)))
    .orderBy(asc(e.position))
    .limit(limit)
}

/** Returns the instants at which the deleted events were recorded: another process may have deleted some before. */
export async function deleteEvents({ db, tables }: Handle, positions: readonly number[]): Promise<number[]> {
  const { events: e } = tables
  const isOne = inArray(e.position, [...positions])
  const deleted = await db.delete(e).where(isOne).returning({ recordedAt: e.recordedAt })
  return deleted.map(({ recordedAt }) => recordedAt)
}

/** How many events a project has of each UTC day of a range, by the instant at which they were recorded. */
export async function countEventDays(
  { db, tables: { events: e } }: Handle,
  projectId: string,
  [first, last]: readonly [first: number, last: number],
): Promise<Map<number, number>> {
  const day = sql<number>`${e.recordedAt} / ${sql.raw(String(DAY))}`.mapWith(Number)
  const isInside = and(eq(e.projectId, projectId), gte(e.recordedAt, first * DAY), lt(e.recordedAt, (last + 1) * DAY))
  const rows = await db.select({ day, count: count() }).from(e).where(isInside).groupBy(day)
  return new Map(rows.map((row) => [row.day, row.count]))
}

const prunedName = (projectId: string): string => `events-pruned:${projectId}`

/**
 * Saves that events recorded before this instant may be deleted. A longer retention that is set later does not restore
 * them.
 */
export async function raisePrunedUntil({ db, tables }: Handle, projectId: string, until: number): Promise<void> {
  const { revisions: r } = tables
  await db
    .insert(r)
    .values({ name: prunedName(projectId), value: until })
    .onConflictDoUpdate({ target: r.name, set: { value: until }, setWhere: lt(r.value, until) })
}

/** The instant that `raisePrunedUntil` saved, or 0. No event recorded at or after it has been deleted. */
export async function readPrunedUntil({ db, tables }: Handle, projectId: string): Promise<number> {
  const { revisions: r } = tables
  const [row] = await db
    .select({ value: r.value })
    .from(r)
    .where(eq(r.name, prunedName(projectId)))
  return row?.value ?? 0
}
