import { and, asc, count, desc, eq, inArray, isNull, lt } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { GivenPreferences } from './preferences'

export type NoticeRow = Handle['tables']['notices']['$inferSelect']
export type PushDeviceRow = Handle['tables']['pushDevices']['$inferSelect']

export async function insertNotices({ db, tables }: Handle, rows: readonly NoticeRow[]): Promise<void> {
  if (rows.length > 0) await db.insert(tables.notices).values([...rows])
}

/** The newest first. */
export const listNotices = (
  { db, tables: { notices } }: Handle,
  userId: string,
  { beforeId, limit }: { beforeId?: string | undefined; limit: number },
): Promise<NoticeRow[]> =>
  db
    .select()
    .from(notices)
    .where(and(eq(notices.userId, userId), beforeId === undefined ? undefined : lt(notices.id, beforeId)))
    .orderBy(desc(notices.id))
    .limit(limit)

export async function countUnread({ db, tables: { notices } }: Handle, userId: string): Promise<number> {
  const isUnread = and(eq(notices.userId, userId), isNull(notices.readAt))
  const [row] = await db.select({ count: count() }).from(notices).where(isUnread)
  return row?.count ?? 0
}

export async function findNotice(
  { db, tables: { notices } }: Handle,
  userId: string,
  id: string,
): Promise<NoticeRow | null> {
  const [row] = await db
    .select()
    .from(notices)
    .where(and(eq(notices.id, id), eq(notices.userId, userId)))
  return row ?? null
}

/** Marks the unread notices of a user as read, or one of them. Returns how many. */
export async function markRead(
  { db, tables: { notices } }: Handle,
  userId: string,
  id: string | null,
  now: number,
): Promise<number> {
  const isOne = id === null ? undefined : eq(notices.id, id)
  const rows = await db
    .update(notices)
    .set({ readAt: now })
    .where(and(eq(notices.userId, userId), isNull(notices.readAt), isOne))
    .returning({ id: notices.id })
  return rows.length
}

export async function deleteOldNotices(
  { db, tables: { notices } }: Handle,
  before: number,
  limit: number,
): Promise<number> {
  const old = db.select({ id: notices.id }).from(notices).where(lt(notices.createdAt, before)).limit(limit)
  return (await db.delete(notices).where(inArray(notices.id, old)).returning({ id: notices.id })).length
}

export async function findPreferences(
  { db, tables: { notificationPreferences: p } }: Handle,
  userIds: readonly string[],
): Promise<Map<string, GivenPreferences>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .select({ userId: p.userId, given: p.given })
    .from(p)
    .where(inArray(p.userId, [...userIds]))
  return new Map(rows.map(({ userId, given }) => [userId, given]))
}

export async function savePreferences(
  { db, tables: { notificationPreferences: p } }: Handle,
  userId: string,
  given: GivenPreferences,
  now: number,
): Promise<void> {
  await db
    .insert(p)
    .values({ userId, given, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({ target: p.userId, set: { given, updatedAt: now } })
}

export async function findDefaults(
  { db, tables: { notificationDefaults: d } }: Handle,
  projectId: string,
): Promise<GivenPreferences | null> {
  const [row] = await db.select({ given: d.given }).from(d).where(eq(d.projectId, projectId))
  return row?.given ?? null
}

export async function saveDefaults(
  { db, tables: { notificationDefaults: d } }: Handle,
  projectId: string,
  given: GivenPreferences,
  now: number,
): Promise<void> {
  await db
    .insert(d)
    .values({ projectId, given, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({ target: d.projectId, set: { given, updatedAt: now } })
}

/** The newest first. */
export const listPushDevices = (
  { db, tables: { pushDevices: d } }: Handle,
  userId: string,
  { beforeId, limit }: { beforeId?: string | undefined; limit: number },
): Promise<PushDeviceRow[]> =>
  db
    .select()
    .from(d)
    .where(and(eq(d.userId, userId), beforeId === undefined ? undefined : lt(d.id, beforeId)))
    .orderBy(desc(d.id))
    .limit(limit)

/** Writes a device, or gives one that is known by its token to its new user. Returns the row. */
/** The user who has registered a device with this token; null without one. */
export async function findDeviceOwner(
  { db, tables: { pushDevices: d } }: Handle,
  token: string,
): Promise<string | null> {
  const [row] = await db.select({ userId: d.userId }).from(d).where(eq(d.token, token))
  return row?.userId ?? null
}

export async function savePushDevice({ db, tables: { pushDevices: d } }: Handle, row: PushDeviceRow) {
  const { userId, platform, updatedAt } = row
  const [saved = row] = await db
    .insert(d)
    .values(row)
    .onConflictDoUpdate({ target: d.token, set: { userId, platform, updatedAt } })
    .returning()
  return saved
}

/** Deletes all but the newest `kept` devices of a user. */
export async function deleteOldestDevices(
  { db, tables: { pushDevices: d } }: Handle,
  userId: string,
  kept: number,
): Promise<void> {
  const rows = await db.select({ id: d.id }).from(d).where(eq(d.userId, userId)).orderBy(asc(d.updatedAt), asc(d.id))
  const ids = rows.slice(0, Math.max(0, rows.length - kept)).map(({ id }) => id)
  if (ids.length > 0) await db.delete(d).where(inArray(d.id, ids))
}

export async function deletePushDevice(
  { db, tables: { pushDevices: d } }: Handle,
  userId: string,
  id: string,
): Promise<boolean> {
  const isOwn = and(eq(d.id, id), eq(d.userId, userId))
  return (await db.delete(d).where(isOwn).returning({ id: d.id })).length > 0
}

/** Deletes the notices of a user, their preferences and their devices. */
export async function deleteNoticesOf({ db, tables }: Handle, userId: string): Promise<void> {
  const { notices, notificationPreferences, pushDevices } = tables
  for (const table of [notices, notificationPreferences, pushDevices])
    await db.delete(table).where(inArray(table.userId, [userId]))
}

export async function deletePushDevicesOf({ db, tables: { pushDevices: d } }: Handle, userId: string): Promise<void> {
  await db.delete(d).where(eq(d.userId, userId))
}
