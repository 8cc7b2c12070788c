import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, min, sql } from 'drizzle-orm'
import type { Handle, TransactionHandle } from '../../base/db/handle'
import type { DeliveryKindName } from './model'

export type DeliveryRow = Handle['tables']['deliveries']['$inferSelect']
export type TargetRow = Handle['tables']['deliveryTargets']['$inferSelect']

/** Rows of one statement; SQLite allows 32,766 values in it. */
const INSERT_PAGE = 500

export async function insertDeliveries(
  { db, tables }: Handle,
  rows: readonly Omit<DeliveryRow, 'position'>[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += INSERT_PAGE)
    await db.insert(tables.deliveries).values(rows.slice(from, from + INSERT_PAGE))
}

export async function insertTarget({ db, tables }: Handle, row: TargetRow): Promise<void> {
  await db.insert(tables.deliveryTargets).values(row).onConflictDoNothing()
}

export async function updateTarget(
  { db, tables }: Handle,
  targetId: string,
  change: Partial<TargetRow>,
): Promise<void> {
  await db.update(tables.deliveryTargets).set(change).where(eq(tables.deliveryTargets.targetId, targetId))
}

export async function deleteTarget({ db, tables }: Handle, targetId: string): Promise<void> {
  await db.delete(tables.deliveryTargets).where(eq(tables.deliveryTargets.targetId, targetId))
}

/** Locks the targets until the transaction ends, in the order of their ids; returns those that exist. */
export async function lockTargets(
  { db, tables, needsLocks }: TransactionHandle,
  targetIds: readonly string[],
): Promise<TargetRow[]> {
  const { deliveryTargets: t } = tables
  const query = db
    .select()
    .from(t)
    .where(inArray(t.targetId, [...targetIds]))
    .orderBy(asc(t.targetId))
  return needsLocks ? forUpdate(query) : query
}

/** Only PostgreSQL has row locks; drizzle's types are those of SQLite. */
export function forUpdate<Query>(query: Query, options: { skipLocked?: boolean } = {}): Query {
  const locking = query as { for?(strength: 'update', config: { skipLocked?: boolean }): Query }
  return locking.for ? locking.for('update', options) : query
}

/** Makes a target due no later than `dueAt`. */
export async function makeDue({ db, tables }: Handle, targetId: string, dueAt: number): Promise<void> {
  const { deliveryTargets: t } = tables
  const isLater = sql`(${t.dueAt} is null or ${t.dueAt} > ${dueAt})`
  await db
    .update(t)
    .set({ dueAt })
    .where(and(eq(t.targetId, targetId), isLater))
}

/** The earliest instant at which a delivery of the target is due; null when none is. */
export async function earliestDue({ db, tables }: Handle, targetId: string): Promise<number | null> {
  const { deliveries: d } = tables
  const [row] = await db
    .select({ dueAt: min(d.dueAt) })
    .from(d)
    .where(and(eq(d.targetId, targetId), isNotNull(d.dueAt)))
  return row?.dueAt ?? null
}

/** Of these subscribers, those with an open delivery of the target. */
export async function listWithOpen(
  { db, tables }: Handle,
  targetId: string,
  subscriberIds: readonly string[],
): Promise<Set<string>> {
  const { deliveries: d } = tables
  const found = await db
    .selectDistinct({ subscriberId: d.subscriberId })
    .from(d)
    .where(and(eq(d.targetId, targetId), inArray(d.subscriberId, [...subscriberIds]), isNotNull(d.openOrder)))
  return new Set(found.flatMap(({ subscriberId }) => subscriberId ?? []))
}

/** Lets the first open delivery of a target and a subscriber begin, when it waits for nothing any more. */
export async function releaseNext(
  { db, tables }: Handle,
  { targetId, subscriberId }: { targetId: string; subscriberId: string },
  dueAt: number,
): Promise<boolean> {
  const { deliveries: d } = tables
  const [first] = await db
    .select({ position: d.position, dueAt: d.dueAt })
    .from(d)
    .where(and(eq(d.targetId, targetId), eq(d.subscriberId, subscriberId), isNotNull(d.openOrder)))
    .orderBy(asc(d.openOrder), asc(d.position))
    .limit(1)
  if (!first || first.dueAt !== null) return false
  await db.update(d).set({ dueAt }).where(eq(d.position, first.position))
  return true
}

/** Open deliveries that wait for an earlier one of their subscriber may begin: the target has no order any more. */
export async function releaseAll({ db, tables }: Handle, targetId: string, dueAt: number): Promise<void> {
  const { deliveries: d } = tables
  await db
    .update(d)
    .set({ dueAt })
    .where(and(eq(d.targetId, targetId), isNotNull(d.openOrder), isNull(d.dueAt)))
}

/** Deliveries of a target whose attempt may begin, the longest due first. */
export async function listDue(
  { db, tables }: Handle,
  targetId: string,
  now: number,
  limit: number,
): Promise<DeliveryRow[]> {
  const { deliveries: d } = tables
  return db
    .select()
    .from(d)
    .where(and(eq(d.targetId, targetId), lte(d.dueAt, now)))
    .orderBy(asc(d.dueAt), asc(d.position))
    .limit(limit)
}

export async function updateDelivery(
  { db, tables }: Handle,
  position: number,
  change: Partial<DeliveryRow>,
): Promise<void> {
  await db.update(tables.deliveries).set(change).where(eq(tables.deliveries.position, position))
}

export async function findDelivery({ db, tables }: Handle, projectId: string, id: string): Promise<DeliveryRow | null> {
  const { deliveries: d } = tables
  const [row] = await db
    .select()
    .from(d)
    .where(and(eq(d.id, id), eq(d.projectId, projectId)))
  return row ?? null
}

/** Ends all open deliveries of a target as DEAD; returns the ids of the first `limit` of them. */
export async function endOpen(
  { db, tables }: Handle,
  targetId: string,
  end: { now: number; error: string; limit: number },
): Promise<string[]> {
  const { deliveries: d } = tables
  const open = await db
    .select({ position: d.position, id: d.id })
    .from(d)
    .where(and(eq(d.targetId, targetId), isNotNull(d.openOrder)))
    .limit(end.limit)
  const positions = open.map(({ position }) => position)
  const ended = { status: 'DEAD', dueAt: null, openOrder: null, leaseId: null, lastError: end.error } as const
  if (positions.length > 0)
    await db
      .update(d)
      .set({ ...ended, endedAt: end.now })
      .where(inArray(d.position, positions))
  return open.map(({ id }) => id)
}

export async function findCursor({ db, tables }: Handle, projectId: string): Promise<number | null> {
  const { deliveryCursors: c } = tables
  const [row] = await db.select().from(c).where(eq(c.projectId, projectId))
  return row?.position ?? null
}

export async function saveCursor({ db, tables }: Handle, projectId: string, position: number): Promise<void> {
  const { deliveryCursors: c } = tables
  await db.insert(c).values({ projectId, position }).onConflictDoUpdate({ target: c.projectId, set: { position } })
}

export async function deleteCursor({ db, tables }: Handle, projectId: string): Promise<void> {
  await db.delete(tables.deliveryCursors).where(eq(tables.deliveryCursors.projectId, projectId))
}

/** Whether a target of one of these kinds exists in the project. */
export async function hasTargets(
  { db, tables }: Handle,
  projectId: string,
  kinds: readonly DeliveryKindName[],
): Promise<boolean> {
  const { deliveryTargets: t } = tables
  const [row] = await db
    .select({ targetId: t.targetId })
    .from(t)
    .where(and(eq(t.projectId, projectId), inArray(t.kind, [...kinds])))
    .limit(1)
  return row !== undefined
}

/** How a target's attempts of the last 24 hours ended. */
export async function sumHours(
  { db, tables }: Handle,
  targetIds: readonly string[],
  since: number,
): Promise<Map<string, { succeeded: number; failed: number }>> {
  const { deliveryHours: h } = tables
  const rows = await db
    .select({
      targetId: h.targetId,
      succeeded: sql<number>`sum(${h.succeeded})`.mapWith(Number),
      failed: sql<number>`sum(${h.failed})`.mapWith(Number),
    })
    .from(h)
    .where(and(inArray(h.targetId, [...targetIds]), gt(h.hourAt, since)))
    .groupBy(h.targetId)
  return new Map(rows.map(({ targetId, succeeded, failed }) => [targetId, { succeeded, failed }]))
}
