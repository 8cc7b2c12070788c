import { and, asc, desc, eq, gt, gte, inArray, lt, lte, max, or, sql } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { prepared, preparedRows } from '../../base/db/prepared'
import type { AccessMap } from '../subscribers/access-map'
import type { FeedFilter } from './feed-cursor'

export type EventRow = Handle['tables']['events']['$inferSelect']

/**
 * Takes the next `count` numbers of a subscriber's sequence, and saves the access that their events tell when it
 * changed; the row stays locked until the commit.
 */
export async function raiseSeq(
  handle: Handle,
  subscriberId: string,
  count: number,
  toldAccess: AccessMap | null,
): Promise<number> {
  const name = toldAccess === null ? 'subscribers.raiseSeq' : 'subscribers.raiseSeqAndTell'
  const query = prepared(handle, name, ({ db, tables: { subscribers: s } }) => {
    const raised = { seq: sql`${s.seq} + ${sql.placeholder('count')}` }
    // A placeholder stands where drizzle takes a value.
    const set = toldAccess === null ? raised : { ...raised, toldAccess: sql.placeholder('toldAccess') as never }
    return db
      .update(s)
      .set(set)
      .where(eq(s.id, sql.placeholder('subscriberId')))
      .returning({ seq: s.seq })
      .prepare()
  })
  const [row] = await query.execute({ subscriberId, count, toldAccess })
  if (!row) throw new Error(`subscriber ${subscriberId} is gone`)
  return row.seq
}

export async function insertEvents(tx: Tx, rows: Omit<EventRow, 'position'>[]): Promise<void> {
  if (tx.needsLocks) await announcePositions(tx)
  const { shape, values, params } = preparedRows(rows)
  const build = ({ db, tables }: Handle) => db.insert(tables.events).values(values()).prepare()
  await prepared(tx, `events.insert ${shape}`, build).execute(params)
  const projectIds = new Set(rows.map(({ projectId }) => projectId))
  for (const projectId of projectIds) tx.afterCommit(() => tx.state.feedSignal.notify(projectId))
}

const LAST_POSITION = sql`coalesce(pg_sequence_last_value('events_position_seq'), 0)`

/** The two halves of an advisory lock's key give 62 bits; no other lock of ours has a key of two halves. */
const HALF = 31

/**
 * Postgres numbers events when they are written, not when they are committed: a reader could see 6, go on from there,
 * and never see 5, whose transaction commits later. So a transaction tells in advance, by a shared lock that it holds
 * to its end, that its positions lie above the last one given out so far. See `readFeedHead`.
 */
async function announcePositions(tx: Handle): Promise<void> {
  const query = prepared(tx, 'events.announce', ({ db }) => {
    const halves = sql`(last >> ${sql.raw(String(HALF))})::int, (last & 2147483647)::int`
    const locked = sql<null>`pg_advisory_xact_lock_shared(${halves})`
    return db.select({ locked }).from(sql`(select ${LAST_POSITION} as last) as given`).prepare()
  })
  await query.execute()
}

/**
 * The position up to which a project's feed can never change again. On SQLite there is one writer, so positions come in
 * commit order and the last one is it. On Postgres it is the last position given out, or the lowest one that a
 * transaction still open has announced. In this order: whoever was given a position up to the first answer had
 * announced it before, so the second answer shows the announcement, or the transaction has ended and a later read
 * shows its rows.
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
  /** Only events recorded since. */
  keptSince: number | null
}

/**
 * A project's events in the order of their positions. Those of one subscriber are found by the subscriber: columns that
 * stand in an expression keep both databases from walking the positions of everybody to find them.
 */
export async function listFeed(
  { db, tables }: Handle,
  { projectId, types, subscriberId }: FeedFilter,
  { after, head, limit, keptSince }: FeedWindow,
): Promise<EventRow[]> {
  const { events: e } = tables
  const isOfAll = subscriberId === null
  const position = isOfAll ? sql`${e.position}` : sql`+${e.position}`
  const isAsked = and(
    eq(isOfAll ? sql`${e.projectId}` : sql`${e.projectId} || ''`, projectId),
    gt(position, after),
    lte(position, head),
    isOfAll ? undefined : eq(e.subscriberId, subscriberId),
    keptSince === null ? undefined : gte(e.recordedAt, keptSince),
    isOneOf(e.type, types),
  )
  return db.select().from(e).where(isAsked).orderBy(asc(position)).limit(limit)
}

/** `purchase.*` stands for every type that begins so; no types at all stand for every type. */
function isOneOf(column: Handle['tables']['events']['type'], types: readonly string[]) {
  const exact = types.filter((type) => !type.endsWith('*'))
  const begun = types.filter((type) => type.endsWith('*'))
  const isBegun = begun.map((type) => sql`${column} like ${toPattern(type)} escape '!'`)
  return or(exact.length > 0 ? inArray(column, exact) : undefined, ...isBegun)
}

const toPattern = (type: string): string => `${type.slice(0, -1).replace(/[!_%]/g, '!$&')}%`

/** A subscriber's events, oldest first. */
export async function listEventsOf({ db, tables }: Handle, subscriberId: string): Promise<EventRow[]> {
  const { events: e } = tables
  return db.select().from(e).where(eq(e.subscriberId, subscriberId)).orderBy(asc(e.seq))
}

const ABOUT_ACCESS = ['purchase.*', 'entitlement.*', 'subscriber.transferred']

/** The newest of a subscriber's events that can change access, oldest first. */
export async function listAccessEvents(
  { db, tables }: Handle,
  subscriberId: string,
  limit: number,
): Promise<EventRow[]> {
  const { events: e } = tables
  const isAsked = and(eq(e.subscriberId, subscriberId), isOneOf(e.type, ABOUT_ACCESS))
  const newest = await db.select().from(e).where(isAsked).orderBy(desc(e.seq)).limit(limit)
  return newest.reverse()
}

/** The first events of a project after a position, as far as retention reads them. */
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

export async function deleteEvents({ db, tables }: Handle, positions: readonly number[]): Promise<void> {
  await db.delete(tables.events).where(inArray(tables.events.position, [...positions]))
}

const prunedName = (projectId: string): string => `events-pruned:${projectId}`

/** Notes that what was recorded before an instant may be gone: a longer retention set later does not bring it back. */
export async function raisePrunedUntil({ db, tables }: Handle, projectId: string, until: number): Promise<void> {
  const { revisions: r } = tables
  await db
    .insert(r)
    .values({ name: prunedName(projectId), value: until })
    .onConflictDoUpdate({ target: r.name, set: { value: until }, setWhere: lt(r.value, until) })
}

/** Nothing that was recorded since is gone. */
export async function readPrunedUntil({ db, tables }: Handle, projectId: string): Promise<number> {
  const { revisions: r } = tables
  const [row] = await db
    .select({ value: r.value })
    .from(r)
    .where(eq(r.name, prunedName(projectId)))
  return row?.value ?? 0
}
