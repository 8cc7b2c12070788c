import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'
import { familyOf } from '../../people/subscribers/family'
import type { ErasedRows } from '../../people/subscribers/hooks'
import type { FindingKind } from './core/model'

export type RunRow = Handle['tables']['compareRuns']['$inferSelect']
export type FindingRow = Handle['tables']['compareFindings']['$inferSelect']
export type NewFinding = Omit<FindingRow, 'position'>
export type LaterRow = Handle['tables']['compareLater']['$inferSelect']
export type ScheduleRow = Handle['tables']['compareSchedules']['$inferSelect']

export async function insertRun({ db, tables }: Handle, row: RunRow): Promise<void> {
  await db.insert(tables.compareRuns).values(row)
}

export async function findRun(
  { db, tables: { compareRuns: r } }: Handle,
  projectId: string,
  id: string,
): Promise<RunRow | null> {
  const rows = await db
    .select()
    .from(r)
    .where(and(eq(r.projectId, projectId), eq(r.id, id)))
  return rows[0] ?? null
}

/** The runs of a project, newest first. */
export async function pageRuns(
  { db, tables: { compareRuns: r } }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<RunRow[]> {
  const isBefore = beforeId === undefined ? undefined : lt(r.id, beforeId)
  const found = db.select().from(r)
  return found
    .where(and(eq(r.projectId, projectId), isBefore))
    .orderBy(desc(r.id))
    .limit(limit)
}

/** Runs of a project that did not end, newest first. */
export async function listOpenRuns({ db, tables: { compareRuns: r } }: Handle, projectId: string): Promise<RunRow[]> {
  const isOpen = and(eq(r.projectId, projectId), eq(r.status, 'RUNNING'))
  return db.select().from(r).where(isOpen).orderBy(desc(r.id))
}

export async function updateRun({ db, tables }: Handle, id: string, change: Partial<RunRow>): Promise<void> {
  await db.update(tables.compareRuns).set(change).where(eq(tables.compareRuns.id, id))
}

/** Changes a run that the owner still works on; false when another process has taken it over or ended it. */
export async function updateOwnRun(
  { db, tables: { compareRuns: r } }: Handle,
  { id, owner }: Pick<RunRow, 'id' | 'owner'>,
  change: Partial<RunRow>,
): Promise<boolean> {
  const isOwn = and(eq(r.id, id), eq(r.owner, owner ?? ''), eq(r.status, 'RUNNING'))
  return (await db.update(r).set(change).where(isOwn).returning({ id: r.id })).length > 0
}

const FINDINGS_PER_INSERT = 200

export async function insertFindings({ db, tables }: Handle, rows: readonly NewFinding[]): Promise<void> {
  for (let from = 0; from < rows.length; from += FINDINGS_PER_INSERT)
    await db.insert(tables.compareFindings).values(rows.slice(from, from + FINDINGS_PER_INSERT))
}

/** The findings of a run after a position, oldest first; of one kind or of all. */
export async function listFindings(
  { db, tables: { compareFindings: f } }: Handle,
  runId: string,
  kind: FindingRow['kind'] | null,
  after: number,
  limit: number,
): Promise<FindingRow[]> {
  const isKind = kind === null ? undefined : eq(f.kind, kind)
  return db
    .select()
    .from(f)
    .where(and(eq(f.runId, runId), gt(f.position, after), isKind))
    .orderBy(asc(f.position))
    .limit(limit)
}

const ONE_SIDED: FindingKind[] = ['ACCESS_ONLY_HERE', 'PURCHASE_ONLY_HERE']

/** The purchases among these that belong to another person there. */
export async function listMovedPurchases(
  { db, tables: { compareFindings: f } }: Handle,
  runId: string,
  purchaseIds: readonly string[],
): Promise<Set<string | null>> {
  if (purchaseIds.length === 0) return new Set()
  const isMoved = and(eq(f.runId, runId), inArray(f.purchaseId, [...purchaseIds]), eq(f.kind, 'OTHER_OWNER'))
  const rows = await db.select({ id: f.purchaseId }).from(f).where(isMoved)
  return new Set(rows.map(({ id }) => id))
}

/** Takes back that these purchases are only here. Returns the kinds that were taken back, and about whom. */
export async function deleteOneSided(
  { db, tables: { compareFindings: f } }: Handle,
  runId: string,
  purchaseIds: readonly string[],
): Promise<Pick<FindingRow, 'kind' | 'subscriberId'>[]> {
  if (purchaseIds.length === 0) return []
  const isOneSided = and(eq(f.runId, runId), inArray(f.purchaseId, [...purchaseIds]), inArray(f.kind, ONE_SIDED))
  return db.delete(f).where(isOneSided).returning({ kind: f.kind, subscriberId: f.subscriberId })
}

/** Which of these people have a finding in a run. */
export async function listFoundPeople(
  { db, tables: { compareFindings: f } }: Handle,
  runId: string,
  subscriberIds: readonly string[],
): Promise<Set<string>> {
  if (subscriberIds.length === 0) return new Set()
  const isOne = and(eq(f.runId, runId), inArray(f.subscriberId, [...subscriberIds]), ne(f.kind, 'FAULT'))
  const rows = await db.selectDistinct({ id: f.subscriberId }).from(f).where(isOne)
  return new Set(rows.map(({ id }) => id))
}

export async function insertLater({ db, tables }: Handle, rows: readonly LaterRow[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insert(tables.compareLater)
      .values([...rows])
      .onConflictDoNothing()
}

export async function listLater(
  { db, tables: { compareLater: l } }: Handle,
  runId: string,
  after: string,
  limit: number,
): Promise<LaterRow[]> {
  const isNext = and(eq(l.runId, runId), gt(l.subscriberId, after))
  return db.select().from(l).where(isNext).orderBy(asc(l.subscriberId)).limit(limit)
}

/** What a run needs to know of a subscriber before the vendor is asked. */
export type PersonRow = Pick<Handle['tables']['subscribers']['$inferSelect'], 'id' | 'deviceKey' | 'appUserId'>

/** Rows that are neither merged nor erased, in the order of their ids. */
export async function listPeople(
  { db, tables: { subscribers: s } }: Handle,
  projectId: string,
  { after, until }: { after: string; until: string | null },
  limit: number,
): Promise<PersonRow[]> {
  const isLive = and(isNull(s.mergedInto), isNull(s.erasedAt))
  const isIn = and(eq(s.projectId, projectId), gt(s.id, after), until === null ? undefined : lte(s.id, until))
  return db
    .select({ id: s.id, deviceKey: s.deviceKey, appUserId: s.appUserId })
    .from(s)
    .where(and(isIn, isLive))
    .orderBy(asc(s.id))
    .limit(limit)
}

/** Of the rows with these ids, those that are neither merged nor erased. */
export async function listPeopleById(
  { db, tables: { subscribers: s } }: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<PersonRow[]> {
  const isLive = and(isNull(s.mergedInto), isNull(s.erasedAt))
  return db
    .select({ id: s.id, deviceKey: s.deviceKey, appUserId: s.appUserId })
    .from(s)
    .where(and(eq(s.projectId, projectId), inArray(s.id, [...ids]), isLive))
    .orderBy(asc(s.id))
}

/** The rows that were merged into each of these, by the survivor. */
export async function listMergedOf(
  { db, tables: { subscribers: s } }: Handle,
  ids: readonly string[],
): Promise<Map<string | null, PersonRow[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: s.id, deviceKey: s.deviceKey, appUserId: s.appUserId, into: s.mergedInto })
    .from(s)
    .where(inArray(s.mergedInto, [...ids]))
    .orderBy(asc(s.id))
  return Map.groupBy(rows, ({ into }) => into)
}

/** When the last event of a subscriber was recorded; null without one. */
export async function findLastEventAt(
  { db, tables: { events: e } }: Handle,
  { id, seq }: { id: string; seq: number },
): Promise<number | null> {
  const isLast = and(eq(e.subscriberId, id), eq(e.seq, seq))
  return (await db.select({ at: e.recordedAt }).from(e).where(isLast))[0]?.at ?? null
}

/** The owners of the purchases at a store that have a transaction, by the indexes of purchases and of money lines. */
export async function listPurchaseIdsByTransaction(
  { db, tables: { purchases: p, transactions: t } }: Handle,
  projectId: string,
  store: Handle['tables']['purchases']['$inferSelect']['store'],
  transactionId: string,
): Promise<string[]> {
  const isChain = or(eq(p.originalTransactionId, transactionId), eq(p.chainKey, transactionId))
  const chains = await db
    .select({ id: p.id })
    .from(p)
    .where(and(eq(p.projectId, projectId), eq(p.store, store), isChain))
    .limit(20)
  // A charge for several lines adds the key of the line behind a slash.
  const begins = (key: string): SQL => sql`(${t.revenueKey} >= ${key} and ${t.revenueKey} < ${`${key}\u{10FFFF}`})`
  const isLine = or(begins(`${store}:${transactionId}:`), begins(`${store}:${transactionId}/`))
  const lines = await db
    .selectDistinct({ id: t.purchaseId })
    .from(t)
    .where(and(eq(t.projectId, projectId), isLine))
    .limit(20)
  return [...new Set([...chains, ...lines].map(({ id }) => id))]
}

export async function findSchedule(
  { db, tables: { compareSchedules: c } }: Handle,
  projectId: string,
): Promise<ScheduleRow | null> {
  return (await db.select().from(c).where(eq(c.projectId, projectId)))[0] ?? null
}

export async function saveSchedule({ db, tables: { compareSchedules: c } }: Handle, row: ScheduleRow): Promise<void> {
  await db.insert(c).values(row).onConflictDoUpdate({ target: c.projectId, set: row })
}

export async function deleteSchedule({ db, tables }: Handle, projectId: string): Promise<void> {
  await db.delete(tables.compareSchedules).where(eq(tables.compareSchedules.projectId, projectId))
}

/** Schedules whose next run is due, of all projects. */
export async function listDueSchedules(
  { db, tables: { compareSchedules: c } }: Handle,
  now: number,
  limit: number,
): Promise<ScheduleRow[]> {
  const isDue = and(eq(c.isEnabled, true), lte(c.nextRunAt, now))
  return db.select().from(c).where(isDue).orderBy(asc(c.nextRunAt)).limit(limit)
}

/** Moves the next run of a schedule; false when another process has done so. */
export async function moveNextRun(
  { db, tables: { compareSchedules: c } }: Handle,
  { projectId, nextRunAt }: ScheduleRow,
  next: number,
): Promise<boolean> {
  const isDue = and(eq(c.projectId, projectId), eq(c.nextRunAt, nextRunAt), eq(c.isEnabled, true))
  return (await db.update(c).set({ nextRunAt: next }).where(isDue).returning({ id: c.id })).length > 0
}

/** Deletes everything that comparisons have noted about a person, under whatever row of theirs; counts it by table. */
export async function deletePerson(
  { db, tables }: Handle,
  { projectId, id: subscriberId }: { projectId: string; id: string },
  names: readonly string[],
): Promise<ErasedRows> {
  const { compareFindings: f, compareLater: l } = tables
  const family = familyOf(tables, subscriberId)
  const findings = await db.delete(f).where(sql`${f.subscriberId} in ${family}`).returning({ runId: f.runId })
  const later = await db.delete(l).where(sql`${l.subscriberId} in ${family}`).returning({ runId: l.runId })
  // Noted before the person came, by the id at the vendor.
  const isUnknown = and(eq(f.projectId, projectId), eq(f.subscriberId, ''), inArray(f.person, [...names]))
  const unknown = names.length === 0 ? [] : await db.delete(f).where(isUnknown).returning({ runId: f.runId })
  return { compare_findings: { removed: findings.length + unknown.length }, compare_later: { removed: later.length } }
}
