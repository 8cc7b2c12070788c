import { and, asc, count, eq, gte, inArray, lt, max, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { insertMany } from '../../base/db/insert-many'

export type FormerKeyRow = Handle['tables']['formerSdkKeys']['$inferSelect']
export type CallRow = Handle['tables']['formerSdkCalls']['$inferSelect']
export type DeviceRow = Handle['tables']['formerSdkDevices']['$inferSelect']

export async function findFormerKey(
  { db, tables: { formerSdkKeys: k } }: Handle,
  keyHash: string,
): Promise<FormerKeyRow | null> {
  const [row] = await db.select().from(k).where(eq(k.keyHash, keyHash)).limit(1)
  return row ?? null
}

export const listFormerKeys = (
  { db, tables: { formerSdkKeys: k } }: Handle,
  projectId: string,
): Promise<FormerKeyRow[]> => db.select().from(k).where(eq(k.projectId, projectId)).orderBy(asc(k.createdAt), asc(k.id))

export async function insertFormerKey({ db, tables }: Handle, row: FormerKeyRow): Promise<void> {
  await db.insert(tables.formerSdkKeys).values(row)
}

export async function deleteFormerKey(
  { db, tables: { formerSdkKeys: k } }: Handle,
  projectId: string,
  id: string,
): Promise<void> {
  await db.delete(k).where(and(eq(k.projectId, projectId), eq(k.id, id)))
}

/** Reserves a token of the test store. False when it was used before. */
export async function claimToken(
  { db, tables: { formerSdkTokens: t } }: Handle,
  row: { projectId: string; tokenHash: string; createdAt: number },
): Promise<boolean> {
  const made = await db.insert(t).values(row).onConflictDoNothing().returning({ tokenHash: t.tokenHash })
  return made.length > 0
}

/** Adds counts of calls to those of their day. */
export async function addCalls({ db, tables: { formerSdkCalls: c } }: Handle, rows: readonly CallRow[]): Promise<void> {
  for (const row of rows)
    await db
      .insert(c)
      .values(row)
      .onConflictDoUpdate({
        target: [c.projectId, c.day, c.platform, c.flavor, c.version, c.call, c.outcome],
        set: { count: sql`${c.count} + ${row.count}` },
      })
}

/** The counts of the days from `since` on. */
export const listCalls = (
  { db, tables: { formerSdkCalls: c } }: Handle,
  projectId: string,
  since: number,
): Promise<CallRow[]> =>
  db
    .select()
    .from(c)
    .where(and(eq(c.projectId, projectId), gte(c.day, since)))
    .orderBy(asc(c.day), asc(c.platform), asc(c.flavor), asc(c.version), asc(c.call), asc(c.outcome))

/** Deletes at most `limit` counts of days before an instant. Returns how many. */
export async function deleteOldCalls(
  { db, tables: { formerSdkCalls: c } }: Handle,
  before: number,
  limit: number,
): Promise<number> {
  const { projectId, day, platform, flavor, version, call, outcome } = c
  const key = { projectId, day, platform, flavor, version, call, outcome }
  const old = db.select(key).from(c).where(lt(day, before)).limit(limit)
  const isOld = sql`(${projectId}, ${day}, ${platform}, ${flavor}, ${version}, ${call}, ${outcome}) in ${old}`
  const gone = await db.delete(c).where(isOld).returning({ day })
  return gone.length
}

/** Writes devices, each at most once; of one that is known only its last call is kept. */
export async function saveDevices(handle: Handle, rows: readonly DeviceRow[]): Promise<void> {
  await insertMany(handle, rows, {
    name: 'formerSdkDevices.insertMany',
    build: ({ db, tables: { formerSdkDevices: d } }, values) =>
      db
        .insert(d)
        .values(values)
        .onConflictDoUpdate({ target: [d.projectId, d.deviceHash, d.platform], set: LAST_CALL })
        .prepare(),
  })
}

const LAST_CALL = {
  flavor: sql`excluded.flavor`,
  version: sql`excluded.version`,
  appVersion: sql`excluded.app_version`,
  day: sql`excluded.day`,
}

const MAX_KINDS = 1000

/** How many devices called last with each SDK and app version, from a day on. */
export const countDevices = ({ db, tables: { formerSdkDevices: d } }: Handle, projectId: string, since: number) => {
  const { platform, flavor, version, appVersion, day } = d
  const kind = { platform, flavor, version, appVersion }
  return db
    .select({ ...kind, devices: count(), lastDay: max(day).mapWith(Number) })
    .from(d)
    .where(and(eq(d.projectId, projectId), gte(day, since)))
    .groupBy(platform, flavor, version, appVersion)
    .orderBy(asc(platform), asc(flavor), asc(version), asc(appVersion))
    .limit(MAX_KINDS)
}

/** Deletes the devices with these hashes. Returns how many. */
export async function deleteDevices(
  { db, tables: { formerSdkDevices: d } }: Handle,
  projectId: string,
  hashes: readonly string[],
): Promise<number> {
  const isTheirs = and(eq(d.projectId, projectId), inArray(d.deviceHash, [...hashes]))
  const gone = await db.delete(d).where(isTheirs).returning({ day: d.day })
  return gone.length
}

/** Deletes at most `limit` devices whose last call was before an instant. Returns how many. */
export async function deleteOldDevices(
  { db, tables: { formerSdkDevices: d } }: Handle,
  before: number,
  limit: number,
): Promise<number> {
  const { projectId, deviceHash, platform, day } = d
  const old = db.select({ projectId, deviceHash, platform }).from(d).where(lt(day, before)).limit(limit)
  const gone = await db.delete(d).where(sql`(${projectId}, ${deviceHash}, ${platform}) in ${old}`).returning({ day })
  return gone.length
}

/** Deletes tokens that bought before an instant. Returns how many. */
export async function deleteOldTokens(
  { db, tables: { formerSdkTokens: t } }: Handle,
  before: number,
  limit: number,
): Promise<number> {
  const isOld = lt(t.createdAt, before)
  const rows = await db.select({ tokenHash: t.tokenHash }).from(t).where(isOld).limit(limit)
  const hashes = rows.map(({ tokenHash }) => tokenHash)
  if (hashes.length > 0) await db.delete(t).where(and(isOld, inArray(t.tokenHash, hashes)))
  return hashes.length
}
