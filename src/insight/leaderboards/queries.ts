import { and, count, desc, eq, inArray, isNull, lt, max, type SQL, sql } from 'drizzle-orm'
import type { Handle, TransactionHandle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'
import type { PurchaseEnvironment } from '../../stores/observation'
import { isOwnSubscriber } from '../cohorts/starts'
import type { Score, StoredEntry } from './model'

export type LeaderboardRow = Handle['tables']['leaderboards']['$inferSelect']
export type ResultRow = Handle['tables']['leaderboardResults']['$inferSelect']

export async function pageLeaderboards(
  { db, tables }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<LeaderboardRow[]> {
  const { leaderboards: l } = tables
  const isEarlier = beforeId === undefined ? undefined : lt(l.id, beforeId)
  return db
    .select()
    .from(l)
    .where(and(eq(l.projectId, projectId), isEarlier))
    .orderBy(desc(l.id))
    .limit(limit)
}

export async function countLeaderboards({ db, tables }: Handle, projectId: string): Promise<number> {
  const { leaderboards: l } = tables
  const [row] = await db.select({ count: count() }).from(l).where(eq(l.projectId, projectId))
  return row?.count ?? 0
}

export async function findLeaderboard(
  { db, tables }: Handle,
  projectId: string,
  id: string,
): Promise<LeaderboardRow | null> {
  const { leaderboards: l } = tables
  const [row] = await db
    .select()
    .from(l)
    .where(and(eq(l.projectId, projectId), eq(l.id, id)))
  return row ?? null
}

/** The leaderboard, after other transactions that lock it have ended. */
export async function lockLeaderboard(
  tx: TransactionHandle,
  projectId: string,
  id: string,
): Promise<LeaderboardRow | null> {
  await tx.lock(`leaderboard:${id}`)
  return findLeaderboard(tx, projectId, id)
}

/** The id of the leaderboard with this identifier, or null. */
export async function findIdentifier(
  { db, tables }: Handle,
  projectId: string,
  identifier: string,
): Promise<string | null> {
  const { leaderboards: l } = tables
  const [row] = await db
    .select({ id: l.id })
    .from(l)
    .where(and(eq(l.projectId, projectId), eq(l.identifier, identifier)))
  return row?.id ?? null
}

export async function insertLeaderboard({ db, tables }: Handle, row: LeaderboardRow): Promise<void> {
  await db.insert(tables.leaderboards).values(row)
}

export async function updateLeaderboardRow(
  { db, tables }: Handle,
  id: string,
  change: Partial<LeaderboardRow>,
): Promise<void> {
  await db.update(tables.leaderboards).set(change).where(eq(tables.leaderboards.id, id))
}

export async function deleteLeaderboardRow({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.leaderboards).where(eq(tables.leaderboards.id, id))
}

/** The ids of the currencies of a project that are not archived. */
export async function listLiveCurrencies({ db, tables }: Handle, projectId: string): Promise<string[]> {
  const { virtualCurrencies: c } = tables
  const rows = await db
    .select({ id: c.id })
    .from(c)
    .where(and(eq(c.projectId, projectId), isNull(c.archivedAt)))
  return rows.map(({ id }) => id)
}

/** When each leaderboard was last computed for PRODUCTION, by id. */
export async function listComputedAt({ db, tables }: Handle, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { leaderboardResults: r } = tables
  const rows = await db
    .select({ id: r.leaderboardId, at: max(r.computedAt) })
    .from(r)
    .where(and(inArray(r.leaderboardId, [...ids]), eq(r.environment, 'PRODUCTION')))
    .groupBy(r.leaderboardId)
  return new Map(rows.map(({ id, at }) => [id, at ?? 0]))
}

/** The newest result that counts since an instant; null = since ever. */
export async function findNewestResult(
  { db, tables }: Handle,
  leaderboardId: string,
  environment: PurchaseEnvironment,
  from: number | null,
): Promise<ResultRow | null> {
  const { leaderboardResults: r } = tables
  const isWindow = from === null ? isNull(r.windowStart) : eq(r.windowStart, from)
  const [row] = await db
    .select()
    .from(r)
    .where(and(eq(r.leaderboardId, leaderboardId), eq(r.environment, environment), isWindow))
    .orderBy(desc(r.computedAt), desc(r.id))
    .limit(1)
  return row ?? null
}

export async function findResult({ db, tables }: Handle, id: string): Promise<ResultRow | null> {
  const { leaderboardResults: r } = tables
  const [row] = await db.select().from(r).where(eq(r.id, id))
  return row ?? null
}

/** The pages with these numbers, in their order. */
export async function listPages(
  { db, tables }: Handle,
  resultId: string,
  numbers: readonly number[],
): Promise<StoredEntry[][]> {
  const { leaderboardPages: p } = tables
  const rows = await db
    .select({ entries: p.entries })
    .from(p)
    .where(and(eq(p.resultId, resultId), inArray(p.number, [...numbers])))
    .orderBy(p.number)
  return rows.map(({ entries }) => entries)
}

export async function insertResult(
  { db, tables }: Handle,
  row: ResultRow,
  pages: readonly StoredEntry[][],
): Promise<void> {
  await db.insert(tables.leaderboardResults).values(row)
  const rows = pages.map((entries, number) => ({ resultId: row.id, number, entries }))
  if (rows.length > 0) await db.insert(tables.leaderboardPages).values(rows)
}

/** Deletes the results of a leaderboard that were computed before an instant; null = all. */
export async function deleteResults(
  { db, tables }: Handle,
  leaderboardId: string,
  before: number | null = null,
): Promise<void> {
  const { leaderboardResults: r, leaderboardPages: p } = tables
  const isOld = and(eq(r.leaderboardId, leaderboardId), before === null ? undefined : lt(r.computedAt, before))
  await db.delete(p).where(inArray(p.resultId, db.select({ id: r.id }).from(r).where(isOld)))
  await db.delete(r).where(isOld)
}

/** Deletes all results of all leaderboards of a project. */
/** Returns how many pages were deleted. */
export async function deleteResultsOfProject({ db, tables }: Handle, projectId: string): Promise<number> {
  const { leaderboards: l, leaderboardResults: r, leaderboardPages: p } = tables
  const isOfProject = inArray(r.leaderboardId, db.select({ id: l.id }).from(l).where(eq(l.projectId, projectId)))
  const isPage = inArray(p.resultId, db.select({ id: r.id }).from(r).where(isOfProject))
  const pages = await db.delete(p).where(isPage).returning({ number: p.number })
  await db.delete(r).where(isOfProject)
  return pages.length
}

/** Sums are added in halves of 32 bits, because a whole one may need more than 64. */
const HALF = 2n ** 32n
const LOW = sql`cast(sum(f.amount & 4294967295) as bigint)`
const HIGH = sql`cast(sum(f.amount >> 32) as bigint) + (${LOW} >> 32)`

/**
 * The people with the highest sums above 0 of these facts (rows of owner and amount), the highest first and of equal
 * ones the oldest subscriber; `least` is the lowest sum that is wanted. Merged and erased rows are left out.
 */
export async function listTop(
  handle: Handle,
  projectId: string,
  facts: SQL,
  { least, limit }: { least: bigint; limit: number },
): Promise<Score[]> {
  if (handle.isClickhouse) return listTopOfCopy(handle, projectId, facts, { least, limit })
  const { db, tables } = handle
  const { subscribers: s } = tables
  const sums = sql`(select f.owner, ${HIGH} as high, ${LOW} & 4294967295 as low from (${facts}) as f group by f.owner)`
  const isWanted = sql`(g.high, g.low) >= (${Number(least >> 32n)}, ${Number(least & (HALF - 1n))})`
  const [high, low] = [sql<number>`g.high`.mapWith(Number), sql<number>`g.low`.mapWith(Number)]
  const rows = await db
    .select({ id: s.id, high, low })
    .from(sql`${sums} as g`)
    .innerJoin(s, eq(s.id, sql`g.owner`))
    .where(and(isWanted, isOwnSubscriber(handle, projectId), isLive(tables)))
    .orderBy(desc(sql`g.high`), desc(sql`g.low`), s.id)
    .limit(limit)
  return rows.map(({ id, high, low }) => ({ subscriberId: id, value: BigInt(high) * HALF + BigInt(low) }))
}

/** The same from ClickHouse, whose integers may have 128 bits. */
async function listTopOfCopy(
  handle: Handle,
  projectId: string,
  facts: SQL,
  { least, limit }: { least: bigint; limit: number },
): Promise<Score[]> {
  const { db, tables } = handle
  const { subscribers: s } = tables
  const sums = sql`(select f.owner as owner, sum(toInt128(f.amount)) as total from (${facts}) as f group by f.owner)`
  const rows = await db
    .select({ id: s.id, value: sql<bigint>`toString(g.total)`.mapWith((digits: string) => BigInt(digits)) })
    .from(sql`${sums} as g`)
    .innerJoin(s, eq(s.id, sql`g.owner`))
    .where(and(sql`g.total >= toInt128(${String(least)})`, isOwnSubscriber(handle, projectId), isLive(tables)))
    .orderBy(desc(sql`g.total`), s.id)
    .limit(limit)
  return rows.map(({ id, value }) => ({ subscriberId: id, value }))
}

const isLive = ({ subscribers: s }: Handle['tables']): SQL => sql`${s.mergedInto} is null and ${s.erasedAt} is null`
