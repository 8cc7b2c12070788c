import { and, asc, desc, eq, gt, gte, isNotNull, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { NOBODY } from '../../people/purchases/unlisted-sales'
import type { PurchaseEnvironment, Store } from '../../stores/observation'

/** What has been written of the figures' entries so far. */
export interface Mark {
  position: number
  /** Whether no open transaction could still write an entry before that position. */
  isSettled: boolean
}

/** PostgreSQL gives positions out before the transactions that take them commit; a file has one writer at a time. */
export async function readMark({ db, tables: { figureEntries: f }, storage }: Context): Promise<Mark> {
  const isSettled =
    storage.driver === 'postgres'
      ? sql<boolean>`pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot())`
      : sql<number>`1`
  const last = sql<number | string>`coalesce((select max(${f.position}) from ${f}), 0)`
  const [row] = await db.select({ position: last, isSettled }).from(sql`(select 1) as one`)
  return { position: Number(row?.position ?? 0), isSettled: Boolean(row?.isSettled) }
}

/** Whether a project has entries behind a position. Few rows lie behind the last one that was seen. */
export async function hasEntriesAfter(
  { db, tables: { figureEntries: f } }: Handle,
  projectId: string,
  position: number,
): Promise<boolean> {
  const isNew = and(gt(f.position, position), sql`${f.projectId} || '' = ${projectId}`) // By position, not by the index.
  const rows = await db.select({ position: f.position }).from(f).where(isNew).limit(1)
  return rows.length > 0
}

/** The first instant after another at which a known change of a purchase counts; null = none is known. */
export async function findNextEntry(
  { db, tables: { figureEntries: f } }: Handle,
  projectId: string,
  environment: PurchaseEnvironment,
  after: number,
): Promise<number | null> {
  const [row] = await db
    .select({ at: f.at })
    .from(f)
    .where(and(eq(f.projectId, projectId), eq(f.environment, environment), gt(f.at, after)))
    .orderBy(asc(f.at))
    .limit(1)
  return row?.at ?? null
}

export async function findFirstCall({ db, tables }: Handle, projectId: string): Promise<number | null> {
  const { projectFirsts: p } = tables
  const [row] = await db.select({ at: p.callAt }).from(p).where(eq(p.projectId, projectId))
  return row?.at ?? null
}

/** Traces of calls from before their first one was kept: the uses of keys, and the oldest subscriber if a device made it. */
export async function findTraceOfCalls({ db, tables }: Handle, projectId: string): Promise<number | null> {
  const { apiKeys: k, subscribers: s } = tables
  const keys = await db.select({ at: k.lastUsedAt }).from(k).where(eq(k.projectId, projectId))
  const [oldest] = await db
    .select({ at: s.firstSeenAt, isSynthetic: s.isSynthetic })
    .from(s)
    .where(eq(s.projectId, projectId))
    .orderBy(asc(s.id))
    .limit(1)
  const traces = [...keys.map(({ at }) => at), oldest?.isSynthetic === false ? oldest.at : null]
  return traces.reduce((first, at) => (at === null || (first !== null && first <= at) ? first : at), null)
}

export async function insertFirstCall({ db, tables }: Handle, projectId: string, callAt: number): Promise<void> {
  await db.insert(tables.projectFirsts).values({ projectId, callAt }).onConflictDoNothing()
}

/** When the store charged, or started a trial, for the first time; of test purchases too. */
export async function findFirstPurchase({ db, tables }: Handle, projectId: string): Promise<number | null> {
  const { transactions: t } = tables
  const [row] = await db
    .select({ at: t.occurredAt })
    .from(t)
    .where(and(eq(t.projectId, projectId), ne(t.store, 'MANUAL'), ne(t.subscriberId, NOBODY)))
    .orderBy(asc(t.occurredAt))
    .limit(1)
  return row?.at ?? null
}

/** Notifications of a store by slots of `slotMs`, from an instant on. */
export async function countArrivals(
  { db, tables: { storeEvents: e } }: Handle,
  of: { projectId: string; store: Store },
  from: number,
  slotMs: number,
): Promise<Map<number, number>> {
  const slot: SQL<number | string> = sql`${e.receivedAt} / ${sql.raw(String(slotMs))}`
  const rows = await db
    .select({ slot, count: sql<number | string>`count(*)` })
    .from(e)
    .where(and(eq(e.projectId, of.projectId), eq(e.store, of.store), gte(e.receivedAt, from)))
    .groupBy(sql`1`)
  return new Map(rows.map((row) => [Number(row.slot), Number(row.count)]))
}

/** How long the last notifications of a store were under way, in ms: from the store's time to the time of receipt. */
export async function listDelays(
  { db, tables: { storeEvents: e } }: Handle,
  of: { projectId: string; store: Store },
  limit: number,
): Promise<number[]> {
  const rows = await db
    .select({ eventAt: e.eventAt, postedAt: e.postedAt })
    .from(e)
    .where(and(eq(e.projectId, of.projectId), eq(e.store, of.store), isNotNull(e.eventAt), isNotNull(e.postedAt)))
    .orderBy(desc(e.receivedAt), desc(e.id))
    .limit(limit)
  return rows.map(({ eventAt, postedAt }) => Math.max(0, (postedAt ?? 0) - (eventAt ?? 0)))
}

/** What the stream has of an event. */
export interface ToldEvent {
  position: number
  id: string
  type: string
  subscriberId: string | null
  environment: PurchaseEnvironment
  occurredAt: number
  recordedAt: number
}

/** The newest events of a project between two positions, oldest first. */
export async function listNewestEvents(
  { db, tables: { events: e } }: Handle,
  projectId: string,
  range: { after: number; until: number },
  limit: number,
): Promise<ToldEvent[]> {
  const { position, id, type, subscriberId, environment, occurredAt, recordedAt } = e
  const rows = await db
    .select({ position, id, type, subscriberId, environment, occurredAt, recordedAt })
    .from(e)
    .where(and(eq(e.projectId, projectId), gt(e.position, range.after), lte(e.position, range.until)))
    .orderBy(desc(e.position))
    .limit(limit)
  return rows.toReversed()
}
