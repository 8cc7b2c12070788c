import { and, desc, eq, gte, inArray, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { executeOne, prepared, preparedChange, preparedRows } from '../../base/db/prepared'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { StoreEventStatus } from './tables'

export type StoreEventRow = Handle['tables']['storeEvents']['$inferSelect']

/** Insert-or-ignore on (project, store, notification id); false when the row existed. */
export async function insertStoreEvent(handle: Handle, row: StoreEventRow): Promise<boolean> {
  const { shape, values, params } = preparedRows([row])
  const build = ({ db, tables: { storeEvents: e } }: Handle) =>
    db.insert(e).values(values()).onConflictDoNothing().returning({ id: e.id }).prepare()
  return (await executeOne(prepared(handle, `storeEvents.insert ${shape}`, build), params)) !== null
}

export async function findByNotification(
  handle: Handle,
  projectId: string,
  store: Store,
  notificationId: string,
): Promise<StoreEventRow | null> {
  const query = prepared(handle, 'storeEvents.byNotification', ({ db, tables: { storeEvents: e } }) => {
    const isStore = and(eq(e.projectId, sql.placeholder('projectId')), eq(e.store, sql.placeholder('store')))
    const isNotification = and(isStore, eq(e.notificationId, sql.placeholder('notificationId')))
    return db.select().from(e).where(isNotification).limit(1).prepare()
  })
  const [row] = await query.execute({ projectId, store, notificationId })
  return row ?? null
}

/** When the newest notification of a store arrived; null = none is kept. */
export async function findLastArrival({ db, tables }: Handle, projectId: string, store: Store): Promise<number | null> {
  const { storeEvents: e } = tables
  const [row] = await db
    .select({ receivedAt: e.receivedAt })
    .from(e)
    .where(and(eq(e.projectId, projectId), eq(e.store, store)))
    .orderBy(desc(e.receivedAt))
    .limit(1)
  return row?.receivedAt ?? null
}

/** Counts one more refused notification of a day; false when the limit of the day is reached. */
export async function countKept(
  { db, tables: { storeRefusals: r } }: Handle,
  { projectId, day, limit }: { projectId: string; day: number; limit: number },
): Promise<boolean> {
  const set = { kept: sql`${r.kept} + 1` }
  const counted = await db
    .insert(r)
    .values({ projectId, day, kept: 1 })
    .onConflictDoUpdate({ target: [r.projectId, r.day], set, setWhere: lt(r.kept, limit) })
    .returning({ kept: r.kept })
  return counted.length > 0
}

export async function deleteOldRefusals({ db, tables }: Handle, beforeDay: number): Promise<void> {
  await db.delete(tables.storeRefusals).where(lt(tables.storeRefusals.day, beforeDay))
}

/** The processing state of a stored notification. */
export type ArrivedRow = Pick<StoreEventRow, 'notificationId' | 'status' | 'leasedUntil'>

/** The stored notifications among these ids. */
export async function listArrived(
  { db, tables }: Handle,
  projectId: string,
  store: Store,
  ids: readonly string[],
): Promise<ArrivedRow[]> {
  const { storeEvents: e } = tables
  return db
    .select({ notificationId: e.notificationId, status: e.status, leasedUntil: e.leasedUntil })
    .from(e)
    .where(and(eq(e.projectId, projectId), eq(e.store, store), inArray(e.notificationId, [...ids])))
}

interface CatchupOf {
  projectId: string
  store: Store
  environment: PurchaseEnvironment
}

/** The instant up to which a store's history was processed; null = never. */
export async function findCatchup({ db, tables }: Handle, of: CatchupOf): Promise<number | null> {
  const { storeCatchups: c } = tables
  const [row] = await db
    .select({ upTo: c.upTo })
    .from(c)
    .where(and(eq(c.projectId, of.projectId), eq(c.store, of.store), eq(c.environment, of.environment)))
  return row?.upTo ?? null
}

export async function saveCatchup({ db, tables }: Handle, row: CatchupOf & { upTo: number }): Promise<void> {
  const { storeCatchups: c } = tables
  const target = [c.projectId, c.store, c.environment]
  await db
    .insert(c)
    .values(row)
    .onConflictDoUpdate({ target, set: { upTo: row.upTo } })
}

export async function findStoreEvent({ db, tables }: Handle, id: string): Promise<StoreEventRow | null> {
  const [row] = await db.select().from(tables.storeEvents).where(eq(tables.storeEvents.id, id))
  return row ?? null
}

/** Changes the row if its status and attempts are still as read; false when another call has changed it since. */
export async function updateAsRead(
  { db, tables }: Handle,
  { id, status, attempts }: StoreEventRow,
  change: Partial<StoreEventRow>,
): Promise<boolean> {
  const { storeEvents: e } = tables
  // Every new lease raises the attempts, so an equal status and number mean that no lease was taken since.
  const isAsRead = and(eq(e.id, id), eq(e.status, status), eq(e.attempts, attempts))
  const changed = await db.update(e).set(change).where(isAsRead).returning({ id: e.id })
  return changed.length > 0
}

/** Notes when the store's own request was accepted; false when that was noted before. */
export async function updatePosted({ db, tables }: Handle, id: string, postedAt: number): Promise<boolean> {
  const { storeEvents: e } = tables
  const isFirst = and(eq(e.id, id), isNull(e.postedAt))
  const changed = await db.update(e).set({ postedAt }).where(isFirst).returning({ id: e.id })
  return changed.length > 0
}

/** Changes the row under its lease; false when another call holds the lease now. */
export async function updateLeased(
  handle: Handle,
  id: string,
  leasedBy: string,
  change: Partial<StoreEventRow>,
): Promise<boolean> {
  const { shape, params, set } = preparedChange(change)
  const query = prepared(handle, `storeEvents.endLease ${shape}`, ({ db, tables: { storeEvents: e } }) => {
    const isHeld = and(eq(e.status, 'PROCESSING'), eq(e.leasedBy, sql.placeholder('holder')))
    const isLeased = and(eq(e.id, sql.placeholder('id')), isHeld)
    return db.update(e).set(set()).where(isLeased).returning({ id: e.id }).prepare()
  })
  return (await executeOne(query, { ...params, id, holder: leasedBy })) !== null
}

/**
 * Deletes up to `limit` store events of a status that arrived before an instant, and returns how many. A leased one is
 * kept. The DELETE repeats the conditions of the SELECT, because a row may be leased while this waits for its lock.
 */
export async function deleteOldStoreEvents(
  { db, tables }: Handle,
  status: StoreEventStatus,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<number> {
  const { storeEvents: e } = tables
  const isFree = status === 'PROCESSING' ? or(isNull(e.leasedUntil), lte(e.leasedUntil, now)) : undefined
  const isOld = and(eq(e.status, status), lt(e.receivedAt, before), isFree)
  const some = db.select({ id: e.id }).from(e).where(isOld).limit(limit)
  const deleted = await db
    .delete(e)
    .where(and(inArray(e.id, some), isOld))
    .returning({ id: e.id })
  return deleted.length
}

/** Which store events to list; an absent member restricts nothing. Both ends of the span are inclusive. */
export interface StoreEventFilter {
  projectId?: string | undefined
  store?: Store | undefined
  status?: StoreEventStatus | undefined
  /** Also gives those that name no environment. */
  environment?: PurchaseEnvironment | undefined
  from?: number | undefined
  to?: number | undefined
  /** Only what comes after this row in the order of a list: the last row of the page before. */
  after?: Pick<StoreEventRow, 'receivedAt' | 'id'> | null
}

/** Newest first. PROCESSING with an expired lease counts as FAILED (wire 4.3). */
export async function listStoreEvents(
  { db, tables }: Handle,
  filter: StoreEventFilter,
  now: number,
  limit: number,
): Promise<StoreEventRow[]> {
  const { storeEvents: e } = tables
  const lists: StoreEventRow[][] = []
  for (const matches of conditionsOf(tables, filter, now)) {
    const found = db.select().from(e).where(matches)
    lists.push(await found.orderBy(desc(e.receivedAt), desc(e.id)).limit(limit))
  }
  return lists.flat().sort(byArrival).reverse().slice(0, limit)
}

/** Ids in the order of arrival. */
export async function listStoreEventIds(
  { db, tables }: Handle,
  filter: StoreEventFilter,
  now: number,
): Promise<string[]> {
  const { storeEvents: e } = tables
  const rows: Arrived[] = []
  for (const matches of conditionsOf(tables, filter, now))
    rows.push(...(await db.select({ id: e.id, receivedAt: e.receivedAt }).from(e).where(matches)))
  return rows.sort(byArrival).map(({ id }) => id)
}

type Arrived = Pick<StoreEventRow, 'id' | 'receivedAt'>

const byArrival = (a: Arrived, b: Arrived): number => a.receivedAt - b.receivedAt || (a.id < b.id ? -1 : 1)

export interface RetryDue {
  now: number
  /** Store events that arrived earlier are not retried. */
  since: number
  limit: number
  /** Waits after the first, second, … attempt. */
  waits: readonly number[]
}

/** Ids of failed notifications whose wait is over, and of those whose lease expired; in the order of arrival. */
export async function listRetryDue({ db, tables }: Handle, { now, since, limit, waits }: RetryDue): Promise<string[]> {
  const { storeEvents: e } = tables
  const hasWaited = or(...waits.map((wait, index) => and(eq(e.attempts, index + 1), lte(e.processedAt, now - wait))))
  const failed = and(eq(e.status, 'FAILED'), gte(e.receivedAt, since), hasWaited)
  const died = and(eq(e.status, 'PROCESSING'), gte(e.receivedAt, since), lt(e.leasedUntil, now))
  const rows = await Promise.all(
    [failed, died].map((isDue) =>
      db.select({ id: e.id }).from(e).where(isDue).orderBy(e.receivedAt, e.id).limit(limit),
    ),
  )
  return rows
    .flat()
    .slice(0, limit)
    .map(({ id }) => id)
}

/**
 * The conditions of a filter; a row that one of them matches is in the list. Each is one range of an index: one
 * condition with OR would read all store events of the project.
 */
function conditionsOf(tables: Handle['tables'], filter: StoreEventFilter, now: number): (SQL | undefined)[] {
  const { storeEvents: e } = tables
  const { status } = filter
  const rest = matches(tables, filter)
  if (status === undefined) return [rest]
  // Nearly all are PROCESSED, so these are found by their project and the others by their status.
  if (status === 'PROCESSED') return [and(rest, eq(sql`${e.status} || ''`, status))]
  const isStatus = and(rest, eq(e.status, status))
  if (status === 'PROCESSING') return [and(isStatus, gte(e.leasedUntil, now))]
  return status === 'FAILED' ? [isStatus, and(rest, eq(e.status, 'PROCESSING'), lt(e.leasedUntil, now))] : [isStatus]
}

/** Everything but the status. */
function matches({ storeEvents: e }: Handle['tables'], filter: StoreEventFilter): SQL | undefined {
  const { projectId, store, status, environment, from, to, after = null } = filter
  const isByStatus = status !== undefined && status !== 'PROCESSED'
  // The expressions keep the databases from an index of the project, where the status is to find the rows.
  const [project, origin] = isByStatus
    ? [sql`${e.projectId} || ''`, sql`${e.store} || ''`]
    : [sql`${e.projectId}`, sql`${e.store}`]
  return and(
    projectId === undefined ? undefined : eq(project, projectId),
    store === undefined ? undefined : eq(origin, store),
    environment === undefined ? undefined : or(isNull(e.environment), eq(e.environment, environment)),
    from === undefined ? undefined : gte(e.receivedAt, from),
    to === undefined ? undefined : lte(e.receivedAt, to),
    after === null ? undefined : lte(e.receivedAt, after.receivedAt),
    after === null
      ? undefined
      : or(lt(e.receivedAt, after.receivedAt), and(eq(e.receivedAt, after.receivedAt), lt(e.id, after.id))),
  )
}
