import { and, asc, count, desc, eq, gt, gte, lte, max, min, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { prepared, preparedRows } from '../../base/db/prepared'
import type { RateSource } from './rate-table'

export type RateRow = Handle['tables']['exchangeRates']['$inferSelect']
export type RateUpdateRow = Handle['tables']['rateUpdates']['$inferSelect']
export type RateFetchRow = Handle['tables']['rateFetches']['$inferSelect']

/** The newest update of the stored rates, by which a process knows whether its own are current. */
export type RatesHead = Pick<RateUpdateRow, 'position' | 'id'>

export async function findHead(handle: Handle): Promise<RatesHead | null> {
  const query = prepared(handle, 'rateUpdates.head', ({ db, tables: { rateUpdates: u } }) =>
    db.select({ position: u.position, id: u.id }).from(u).orderBy(desc(u.position)).limit(1).prepare(),
  )
  const [row] = await query.execute()
  return row ?? null
}

/** Whether the update is stored: one that was rolled back is not. */
export async function hasUpdate(
  { db, tables: { rateUpdates: u } }: Handle,
  { position, id }: RatesHead,
): Promise<boolean> {
  const isUpdate = and(eq(u.position, position), eq(u.id, id))
  const [row] = await db.select({ id: u.id }).from(u).where(isUpdate)
  return row !== undefined
}

/** The days that changed after an update. */
export async function listChangedAfter(
  { db, tables: { exchangeRates: r } }: Handle,
  position: number,
): Promise<Pick<RateRow, 'source' | 'day' | 'rates'>[]> {
  return db
    .select({ source: r.source, day: r.day, rates: r.rates })
    .from(r)
    .where(gt(r.revision, position))
    .orderBy(asc(r.source), asc(r.day))
}

export async function listDays(
  { db, tables: { exchangeRates: r } }: Handle,
  source: RateSource,
  first: number,
  last: number,
): Promise<Pick<RateRow, 'day' | 'rates'>[]> {
  return db
    .select({ day: r.day, rates: r.rates })
    .from(r)
    .where(and(eq(r.source, source), gte(r.day, first), lte(r.day, last)))
}

/** The day of the newest rate of a source; null when it has none. */
export async function findNewestDay(
  { db, tables: { exchangeRates: r } }: Handle,
  source: RateSource,
): Promise<number | null> {
  const [row] = await db.select({ day: r.day }).from(r).where(eq(r.source, source)).orderBy(desc(r.day)).limit(1)
  return row?.day ?? null
}

/** The days of a source that have rates, in ascending order. */
export async function listDayNumbers(
  { db, tables: { exchangeRates: r } }: Handle,
  source: RateSource,
): Promise<number[]> {
  const rows = await db.select({ day: r.day }).from(r).where(eq(r.source, source)).orderBy(asc(r.day))
  return rows.map(({ day }) => day)
}

export async function spanOf({ db, tables: { exchangeRates: r } }: Handle, source: RateSource) {
  const columns = { first: min(r.day), last: max(r.day), days: count() }
  const [row] = await db.select(columns).from(r).where(eq(r.source, source))
  return row && row.first !== null && row.last !== null
    ? { first: Number(row.first), last: Number(row.last), days: row.days }
    : null
}

const ROWS_PER_INSERT = 200

export async function putDays(
  handle: Handle,
  source: RateSource,
  revision: number,
  days: readonly Pick<RateRow, 'day' | 'rates'>[],
): Promise<void> {
  const set = { rates: sql`excluded.rates`, revision: sql`excluded.revision` }
  for (let start = 0; start < days.length; start += ROWS_PER_INSERT) {
    const part = days.slice(start, start + ROWS_PER_INSERT)
    const { shape, values, params } = preparedRows(part.map(({ day, rates }) => ({ source, day, rates, revision })))
    const build = ({ db, tables: { exchangeRates: r } }: Handle) =>
      db
        .insert(r)
        .values(values())
        .onConflictDoUpdate({ target: [r.source, r.day], set })
        .prepare()
    await prepared(handle, `exchangeRates.put ${shape}`, build).execute(params)
  }
}

export async function insertUpdate(
  { db, tables: { rateUpdates: u } }: Handle,
  row: Omit<RateUpdateRow, 'position'>,
): Promise<number> {
  const [inserted] = await db.insert(u).values(row).returning({ position: u.position })
  if (!inserted) throw new Error('the update of the exchange rates was not inserted')
  return inserted.position
}

/** Updates of the rates, the newest first. */
export async function listUpdates({ db, tables: { rateUpdates: u } }: Handle, limit: number): Promise<RateUpdateRow[]> {
  return db.select().from(u).orderBy(desc(u.position)).limit(limit)
}

export async function findFetch(
  { db, tables: { rateFetches: f } }: Handle,
  source: RateSource,
): Promise<RateFetchRow | null> {
  const [row] = await db.select().from(f).where(eq(f.source, source))
  return row ?? null
}

export async function putFetch({ db, tables: { rateFetches: f } }: Handle, row: RateFetchRow): Promise<void> {
  const { triedAt, succeededAt, fault } = row
  await db.insert(f).values(row).onConflictDoUpdate({ target: f.source, set: { triedAt, succeededAt, fault } })
}
