import { and, asc, count, desc, eq, getTableColumns, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { exactJson } from '../../base/db/exact'
import type { Handle } from '../../base/db/handle'
import { prepared, preparedChange, preparedRows } from '../../base/db/prepared'
import { isBefore } from '../../base/db/range'
import { familyOf } from './family'

export type SubscriberRow = Handle['tables']['subscribers']['$inferSelect']
export type TransferRow = Handle['tables']['transfers']['$inferSelect']

/** The amounts that moved can have 64 bits. */
const transferColumns = (t: Handle['tables']['transfers']) => ({ ...getTableColumns(t), moved: exactJson(t.moved) })

export async function findByDeviceKey(
  handle: Handle,
  projectId: string,
  deviceKey: string,
): Promise<SubscriberRow | null> {
  const query = prepared(handle, 'subscribers.byDevice', ({ db, tables: { subscribers: s } }) => {
    const isKey = and(eq(s.projectId, sql.placeholder('projectId')), eq(s.deviceKey, sql.placeholder('deviceKey')))
    return db.select().from(s).where(isKey).limit(1).prepare()
  })
  const [row] = await query.execute({ projectId, deviceKey })
  return row ?? null
}

/**
 * Takes the lock of this name, and then that of the subscriber of a device key, with one statement; see `Tx.lock`. Returns
 * the id of the row whose lock it took; null when no row has the key. The row may have changed during the wait, so it must
 * be read afterwards. Only for databases that need locks.
 */
export async function lockWithDevice(
  handle: Handle,
  lockName: string,
  projectId: string,
  deviceKey: string,
): Promise<string | null> {
  const query = prepared(handle, 'subscribers.lockWithDevice', ({ db, tables: { subscribers: s } }) => {
    const isKey = and(eq(s.projectId, sql.placeholder('projectId')), eq(s.deviceKey, sql.placeholder('deviceKey')))
    const lock = (name: SQL) => sql<null>`pg_advisory_xact_lock(hashtextextended(${name}, 0))`
    return db
      .select({ id: sql<string | null>`id`, first: lock(sql`${sql.placeholder('lockName')}`), own: lock(OWN_LOCK) })
      .from(sql`(select (select ${s.id} from ${s} where ${isKey}) as id) as found`)
      .prepare()
  })
  const [row] = await query.execute({ lockName, projectId, deviceKey })
  return row?.id ?? null
}

const OWN_LOCK = sql`'subscriber:' || id`

/** The rows of many device keys. An unknown key has no row. */
export async function listByDeviceKeys(
  { db, tables }: Handle,
  projectId: string,
  deviceKeys: readonly string[],
): Promise<SubscriberRow[]> {
  const { subscribers: s } = tables
  return db
    .select()
    .from(s)
    .where(and(eq(s.projectId, projectId), inArray(s.deviceKey, [...deviceKeys])))
}

export async function findById(handle: Handle, projectId: string, id: string): Promise<SubscriberRow | null> {
  const query = prepared(handle, 'subscribers.byId', ({ db, tables: { subscribers: s } }) => {
    const isRow = and(eq(s.id, sql.placeholder('id')), eq(s.projectId, sql.placeholder('projectId')))
    return db.select().from(s).where(isRow).limit(1).prepare()
  })
  const [row] = await query.execute({ projectId, id })
  return row ?? null
}

/** The first rows of a project in the order of their device keys, merged and erased rows included. */
export async function listByDeviceKey(
  { db, tables }: Handle,
  projectId: string,
  limit: number,
): Promise<SubscriberRow[]> {
  const { subscribers: s } = tables
  return db.select().from(s).where(eq(s.projectId, projectId)).orderBy(asc(s.deviceKey)).limit(limit)
}

/** The number of rows of a project. Merged and erased rows count too, so the database needs to read only the index. */
export async function countRows({ db, tables }: Handle, projectId: string): Promise<number> {
  const { subscribers: s } = tables
  const [row] = await db.select({ count: count() }).from(s).where(eq(s.projectId, projectId))
  return row?.count ?? 0
}

/** Whether any project has a subscriber of that id. */
export async function hasAnySubscriber({ db, tables }: Handle, id: string): Promise<boolean> {
  const { subscribers: s } = tables
  const rows = await db.select({ id: s.id }).from(s).where(eq(s.id, id))
  return rows.length > 0
}

/** The live row that has a label. Merged and erased rows have no label. */
export async function findByLabel(handle: Handle, projectId: string, appUserId: string): Promise<SubscriberRow | null> {
  const query = prepared(handle, 'subscribers.byLabel', ({ db, tables: { subscribers: s } }) => {
    const isLabel = and(eq(s.projectId, sql.placeholder('projectId')), eq(s.appUserId, sql.placeholder('appUserId')))
    return db
      .select()
      .from(s)
      .where(and(isLabel, isNull(s.mergedInto)))
      .limit(1)
      .prepare()
  })
  const [row] = await query.execute({ projectId, appUserId })
  return row ?? null
}

/** The earliest first-seen instant of the subscriber and all rows merged into it; null when no row has this id. */
export async function findFirstSeen({ db, tables }: Handle, id: string): Promise<number | null> {
  const { subscribers: s } = tables
  const [row] = await db
    .select({ at: sql<string | number | null>`min(${s.firstSeenAt})` })
    .from(s)
    .where(sql`${s.id} in ${familyOf(tables, id)}`)
  return row?.at == null ? null : Number(row.at)
}

/** Inserts a row unless (project, device key) exists: parallel first calls make one row. Null when it existed. */
export async function insertSubscriber(handle: Handle, row: SubscriberRow): Promise<SubscriberRow | null> {
  const { shape, values, params } = preparedRows([row])
  const build = ({ db, tables: { subscribers: s } }: Handle) =>
    db
      .insert(s)
      .values(values())
      .onConflictDoNothing({ target: [s.projectId, s.deviceKey] })
      .returning({ id: s.id })
      .prepare()
  const [inserted] = await prepared(handle, `subscribers.insert ${shape}`, build).execute(params)
  return inserted ? row : null
}

export async function updateSubscriber(handle: Handle, id: string, change: Partial<SubscriberRow>): Promise<void> {
  const { shape, params, set } = preparedChange(change)
  const query = prepared(handle, `subscribers.update ${shape}`, ({ db, tables: { subscribers: s } }) =>
    db
      .update(s)
      .set(set())
      .where(eq(s.id, sql.placeholder('subscriberId')))
      .prepare(),
  )
  await query.execute({ ...params, subscriberId: id })
}

/**
 * Points the rows that were merged into `fromId` to `intoId`, so that each merged row is one step from its survivor.
 * Returns the ids of these rows.
 */
export async function repointMerged({ db, tables }: Handle, fromId: string, intoId: string): Promise<string[]> {
  const { subscribers: s } = tables
  const repointed = db.update(s).set({ mergedInto: intoId }).where(eq(s.mergedInto, fromId))
  return (await repointed.returning({ id: s.id })).map(({ id }) => id)
}

/** Whether a row that is not synthetic was merged into this one. */
export async function hasMergedDevice({ db, tables }: Handle, intoId: string): Promise<boolean> {
  const { subscribers: s } = tables
  const isDevice = and(eq(s.mergedInto, intoId), eq(s.isSynthetic, false))
  return (await db.select({ id: s.id }).from(s).where(isDevice).limit(1)).length > 0
}

/** Undoes `repointMerged` for those of the given rows that still point to `intoId`. */
export async function repointBack(
  { db, tables }: Handle,
  ids: readonly string[],
  { intoId, fromId }: { intoId: string; fromId: string },
): Promise<void> {
  const { subscribers: s } = tables
  const isRepointed = and(inArray(s.id, [...ids]), eq(s.mergedInto, intoId))
  await db.update(s).set({ mergedInto: fromId }).where(isRepointed)
}

/** At most `limit` rows that have no holdout bucket yet. */
export async function listWithoutBucket(
  { db, tables }: Handle,
  limit: number,
): Promise<Pick<SubscriberRow, 'id' | 'deviceKey'>[]> {
  const { subscribers: s } = tables
  return db.select({ id: s.id, deviceKey: s.deviceKey }).from(s).where(isNull(s.holdoutBucket)).limit(limit)
}

/** Sets `lastSeenAt` of many rows to one instant. */
export async function touchSubscribers({ db, tables }: Handle, ids: readonly string[], at: number): Promise<void> {
  const { subscribers: s } = tables
  await db
    .update(s)
    .set({ lastSeenAt: at })
    .where(inArray(s.id, [...ids]))
}

export async function insertTransfer({ db, tables }: Handle, row: TransferRow): Promise<void> {
  await db.insert(tables.transfers).values(row)
}

export async function findTransfer({ db, tables }: Handle, projectId: string, id: string): Promise<TransferRow | null> {
  const { transfers: t } = tables
  const [row] = await db
    .select(transferColumns(t))
    .from(t)
    .where(and(eq(t.id, id), eq(t.projectId, projectId)))
  return row ?? null
}

export async function markUndone({ db, tables }: Handle, id: string, undoneAt: number): Promise<void> {
  await db.update(tables.transfers).set({ undoneAt }).where(eq(tables.transfers.id, id))
}

/** Transfers from or to a subscriber, oldest first. */
export async function listTransfersOf(
  { db, tables }: Handle,
  { id, projectId }: Pick<SubscriberRow, 'id' | 'projectId'>,
): Promise<TransferRow[]> {
  const { transfers: t } = tables
  const isSide = or(eq(t.fromSubscriberId, id), eq(t.toSubscriberId, id))
  // The expression keeps SQLite from reading all transfers of the project by its index, to get them in order.
  return db
    .select(transferColumns(t))
    .from(t)
    .where(and(eq(sql`${t.projectId} || ''`, projectId), isSide))
    .orderBy(asc(t.createdAt), asc(t.id))
}

/** The transfers of a project before a position (instant and id), newest first. */
export async function pageTransfers(
  { db, tables }: Handle,
  projectId: string,
  before: readonly [number, string] | null,
  limit: number,
): Promise<TransferRow[]> {
  const { transfers: t } = tables
  const isEarlier = before === null ? undefined : isBefore([t.createdAt, t.id], before)
  const found = db.select(transferColumns(t)).from(t)
  return found
    .where(and(eq(t.projectId, projectId), isEarlier))
    .orderBy(desc(t.createdAt), desc(t.id))
    .limit(limit)
}
