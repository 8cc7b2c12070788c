import { and, between, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { prepared } from '../../base/db/prepared'
import type { CountedMeter, DayCounts } from './meters'

export interface Count {
  projectId: string
  meter: CountedMeter
  day: number
  count: number
}

/**
 * Adds to what was used on a day. On PostgreSQL each connection adds to a row of its own, so that the transactions of a
 * project do not wait for each other.
 */
export async function addUsed(tx: Tx, { count, ...key }: Count): Promise<void> {
  const query = prepared(tx, 'usage.add', ({ db, tables: { usageDays: u } }) => {
    const writer = tx.needsLocks ? sql`pg_backend_pid()` : sql`0`
    const values = { ...KEY, writer, used: sql.placeholder('used') }
    const set = { used: sql`${u.used} + excluded.used` }
    return db
      .insert(u)
      .values(values)
      .onConflictDoUpdate({ target: [u.projectId, u.meter, u.day, u.writer], set })
      .prepare()
  })
  await query.execute({ ...key, used: count })
}

const KEY = {
  projectId: sql.placeholder('projectId'),
  meter: sql.placeholder('meter'),
  day: sql.placeholder('day'),
}

/** Adds to how many counted rows of a day were deleted. */
export async function addRemoved({ db, tables }: Handle, { count, ...key }: Count): Promise<void> {
  const { usageRemovals: r } = tables
  await db
    .insert(r)
    .values({ ...key, removed: count })
    .onConflictDoUpdate({
      target: [r.projectId, r.meter, r.day],
      set: { removed: sql`${r.removed} + excluded.removed` },
    })
}

type Days = readonly [first: number, last: number]

/** What was used, of each meter, by day. */
export async function listUsed(
  { db, tables: { usageDays: u } }: Handle,
  projectId: string,
  [first, last]: Days,
): Promise<Map<CountedMeter, DayCounts>> {
  const rows = await db
    .select({ meter: u.meter, day: u.day, count: sql`sum(${u.used})`.mapWith(Number) })
    .from(u)
    .where(and(eq(u.projectId, projectId), between(u.day, first, last)))
    .groupBy(u.meter, u.day)
  return byMeter(rows)
}

/** How many counted rows were deleted, of each meter, by the day on which they were counted. */
export async function listRemoved(
  { db, tables: { usageRemovals: r } }: Handle,
  projectId: string,
  [first, last]: Days,
): Promise<Map<CountedMeter, DayCounts>> {
  const rows = await db
    .select({ meter: r.meter, day: r.day, count: r.removed })
    .from(r)
    .where(and(eq(r.projectId, projectId), between(r.day, first, last)))
  return byMeter(rows)
}

function byMeter(rows: readonly Omit<Count, 'projectId'>[]): Map<CountedMeter, DayCounts> {
  const groups = Map.groupBy(rows, ({ meter }) => meter)
  return new Map([...groups].map(([meter, some]) => [meter, new Map(some.map(({ day, count }) => [day, count]))]))
}

/** Deletes the rows of single writers from days up to one, at most `limit` of them, and returns them. */
export async function takeWriters({ db, tables: { usageDays: u } }: Handle, until: number, limit: number) {
  const isOld = sql`${u.writer} <> 0 and ${u.day} <= ${until}`
  const columns = { projectId: u.projectId, meter: u.meter, day: u.day, writer: u.writer }
  const old = db.select(columns).from(u).where(isOld).limit(limit)
  const key = sql`(${u.projectId}, ${u.meter}, ${u.day}, ${u.writer})`
  return db
    .delete(u)
    .where(sql`${key} in ${old}`)
    .returning({ projectId: u.projectId, meter: u.meter, day: u.day, count: u.used })
}

/** Adds to the row that belongs to no single writer. */
export async function addJoined({ db, tables: { usageDays: u } }: Handle, { count, ...key }: Count): Promise<void> {
  await db
    .insert(u)
    .values({ ...key, writer: 0, used: count })
    .onConflictDoUpdate({
      target: [u.projectId, u.meter, u.day, u.writer],
      set: { used: sql`${u.used} + excluded.used` },
    })
}
