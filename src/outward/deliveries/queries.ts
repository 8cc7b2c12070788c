import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { prepared, preparedChange } from '../../base/db/prepared'
import { familyOf } from '../../people/subscribers/family'
import { countUsage } from '../../projects/usage/service'

export type DeliveryRow = Handle['tables']['deliveries']['$inferSelect']
export type TargetRow = Handle['tables']['deliveryTargets']['$inferSelect']

/** Rows of one statement; SQLite allows 32,766 values in it. */
const INSERT_PAGE = 500

export async function insertDeliveries(tx: Tx, rows: readonly Omit<DeliveryRow, 'position'>[]): Promise<void> {
  const { db, tables } = tx
  for (let from = 0; from < rows.length; from += INSERT_PAGE)
    await db.insert(tables.deliveries).values(rows.slice(from, from + INSERT_PAGE))
  const sent = rows.filter(({ kind, status }) => kind === 'WEBHOOK' && status !== 'SKIPPED')
  for (const [projectId, { length }] of Map.groupBy(sent, (row) => row.projectId))
    await countUsage(tx, projectId, 'webhookDeliveries', tx.clock.now(), length)
}

/** Deliveries of a target whose attempt may start, the longest due first. */
export async function listDue(handle: Handle, targetId: string, now: number, limit: number): Promise<DeliveryRow[]> {
  const query = prepared(handle, 'deliveries.listDue', ({ db, tables: { deliveries: d } }) =>
    db
      .select()
      .from(d)
      .where(and(eq(d.targetId, sql.placeholder('targetId')), sql`${d.dueAt} <= ${sql.placeholder('now')}`))
      .orderBy(asc(d.dueAt), asc(d.position))
      .limit(sql.placeholder('limit'))
      .prepare(),
  )
  return query.execute({ targetId, now, limit })
}

export async function leaseDeliveries(
  handle: Handle,
  positions: readonly number[],
  lease: { leaseId: string; dueAt: number },
): Promise<void> {
  const at = Object.fromEntries(positions.map((position, index) => [`at${index}`, position]))
  const { shape, params, set } = preparedChange({ status: 'DELIVERING' as const, ...lease })
  const query = prepared(handle, `deliveries.lease ${positions.length} ${shape}`, ({ db, tables: { deliveries: d } }) =>
    db
      .update(d)
      .set(set())
      .where(
        inArray(
          d.position,
          Object.keys(at).map((name) => sql.placeholder(name)),
        ),
      )
      .prepare(),
  )
  await query.execute({ ...params, ...at })
}

type Leased = Pick<DeliveryRow, 'position' | 'leaseId'>

/**
 * Saves the end of an attempt, unless its lease has been taken over meanwhile or its target was closed. Returns whether it
 * was saved.
 */
export const saveAttempt = (handle: Handle, leased: Leased, change: Partial<DeliveryRow>): Promise<boolean> =>
  saveIn(handle, 'DELIVERING', leased, change)

/** Saves the end of an attempt that was under way when its target was closed; the delivery has ended already. */
export const saveClosed = (handle: Handle, leased: Leased, change: Partial<DeliveryRow>): Promise<boolean> =>
  saveIn(handle, 'DEAD', leased, change)

async function saveIn(
  handle: Handle,
  status: 'DELIVERING' | 'DEAD',
  { position, leaseId }: Leased,
  change: Partial<DeliveryRow>,
): Promise<boolean> {
  const { shape, params, set } = preparedChange(change)
  const query = prepared(handle, `deliveries.saveIn ${status} ${shape}`, ({ db, tables: { deliveries: d } }) =>
    db
      .update(d)
      .set(set())
      .where(
        and(
          eq(d.position, sql.placeholder('position')),
          eq(d.leaseId, sql.placeholder('leaseId')),
          eq(d.status, status),
        ),
      )
      .returning({ position: d.position })
      .prepare(),
  )
  return (await query.execute({ ...params, position, leaseId })).length > 0
}

/** Lets the first open delivery of a target and a subscriber start, when it waits for nothing any more. */
export async function releaseNext(
  handle: Handle,
  { targetId, subscriberId }: { targetId: string; subscriberId: string },
  dueAt: number,
): Promise<boolean> {
  const query = prepared(handle, 'deliveries.firstOpen', ({ db, tables: { deliveries: d } }) =>
    db
      .select({ position: d.position, dueAt: d.dueAt })
      .from(d)
      .where(
        and(
          eq(d.targetId, sql.placeholder('targetId')),
          eq(d.subscriberId, sql.placeholder('subscriberId')),
          isNotNull(d.openOrder),
        ),
      )
      .orderBy(asc(d.openOrder), asc(d.position))
      .limit(1)
      .prepare(),
  )
  const [first] = await query.execute({ targetId, subscriberId })
  if (!first || first.dueAt !== null) return false
  const { deliveries: d } = handle.tables
  await handle.db.update(d).set({ dueAt }).where(eq(d.position, first.position))
  return true
}

/** Open deliveries that wait for an earlier one of their subscriber may start: the target has no order any more. */
export async function releaseAll({ db, tables }: Handle, targetId: string, dueAt: number): Promise<void> {
  const { deliveries: d } = tables
  await db
    .update(d)
    .set({ dueAt })
    .where(and(eq(d.targetId, targetId), isNotNull(d.openOrder), isNull(d.dueAt)))
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

export async function findDeliveryById({ db, tables }: Handle, id: string): Promise<DeliveryRow | null> {
  const { deliveries: d } = tables
  const [row] = await db.select().from(d).where(eq(d.id, id))
  return row ?? null
}

/**
 * Ends up to `limit` open deliveries of a target, none above `until`, as DEAD; returns their ids. One that is under way keeps
 * its lease, with which the end of its attempt is saved.
 */
export async function endOpen(
  { db, tables }: Handle,
  targetId: string,
  end: { now: number; error: string; until: number; limit: number },
): Promise<string[]> {
  const { deliveries: d } = tables
  const open = await db
    .select({ position: d.position, id: d.id })
    .from(d)
    .where(and(eq(d.targetId, targetId), isNotNull(d.openOrder), lte(d.position, end.until)))
    .limit(end.limit)
  const positions = open.map(({ position }) => position)
  if (positions.length > 0)
    await db
      .update(d)
      .set({ status: 'DEAD', dueAt: null, openOrder: null, lastError: end.error, endedAt: end.now })
      .where(inArray(d.position, positions))
  return open.map(({ id }) => id)
}

/** Ends deliveries as DEAD. The outcome of an attempt that is under way is not saved any more. */
export async function endById(
  { db, tables: { deliveries: d } }: Pick<Handle, 'db' | 'tables'>,
  positions: readonly number[],
  { now, error }: { now: number; error: string },
): Promise<void> {
  if (positions.length === 0) return
  await db
    .update(d)
    .set({ status: 'DEAD', dueAt: null, openOrder: null, leaseId: null, lastError: error, endedAt: now })
    .where(inArray(d.position, [...positions]))
}

/** The open deliveries about a subscriber and the rows that were merged into it. */
export const listOpenOfPerson = ({ db, tables }: Handle, subscriberId: string) => {
  const { position, id, kind, targetId, openOrder } = tables.deliveries
  return db
    .select({ position, id, kind, targetId })
    .from(tables.deliveries)
    .where(and(isOfPerson(tables, subscriberId), isNotNull(openOrder)))
}

/** All deliveries about them after a position, in the order of their positions. */
export const listOfPerson = ({ db, tables }: Handle, subscriberId: string, after: number, limit: number) => {
  const { position, log } = tables.deliveries
  return db
    .select({ position, log })
    .from(tables.deliveries)
    .where(and(isOfPerson(tables, subscriberId), gt(position, after)))
    .orderBy(asc(position))
    .limit(limit)
}

const isOfPerson = (tables: Handle['tables'], subscriberId: string) =>
  sql`${tables.deliveries.subscriberId} in ${familyOf(tables, subscriberId)}`

export async function lastPositionOf({ db, tables: { deliveries: d } }: Handle, targetId: string): Promise<number> {
  const [row] = await db
    .select({ position: d.position })
    .from(d)
    .where(eq(d.targetId, targetId))
    .orderBy(desc(d.position))
    .limit(1)
  return row?.position ?? 0
}

/** Deliveries whose attempt started and whose lease has not run out. */
export async function listLeased({ db, tables }: Handle, targetId: string, now: number): Promise<DeliveryRow[]> {
  const { deliveries: d } = tables
  return db
    .select()
    .from(d)
    .where(and(eq(d.targetId, targetId), gt(d.dueAt, now), eq(d.status, 'DELIVERING')))
}

/** Of these events, those with an open delivery. */
export async function listOpenPositions(
  { db, tables }: Handle,
  projectId: string,
  positions: readonly number[],
): Promise<number[]> {
  const { deliveries: d } = tables
  const rows = await db
    .selectDistinct({ openOrder: d.openOrder })
    .from(d)
    .where(and(eq(d.projectId, projectId), inArray(d.openOrder, [...positions])))
  return rows.flatMap(({ openOrder }) => openOrder ?? [])
}

/** The oldest deliveries after a position, for retention. */
export async function listOldest(
  { db, tables }: Handle,
  after: number,
  limit: number,
): Promise<Pick<DeliveryRow, 'position' | 'createdAt' | 'endedAt'>[]> {
  const { deliveries: d } = tables
  const columns = { position: d.position, createdAt: d.createdAt, endedAt: d.endedAt }
  return db.select(columns).from(d).where(gt(d.position, after)).orderBy(asc(d.position)).limit(limit)
}

export async function deleteDeliveries({ db, tables }: Handle, positions: readonly number[]): Promise<void> {
  await db.delete(tables.deliveries).where(inArray(tables.deliveries.position, [...positions]))
}

/** Adds ended attempts to the counts of a target's hour. */
export async function countAttempts(
  handle: Handle,
  counted: { targetId: string; hourAt: number; succeeded: number; failed: number },
): Promise<void> {
  const query = prepared(handle, 'deliveries.countAttempts', ({ db, tables: { deliveryHours: h } }) =>
    db
      .insert(h)
      .values({
        targetId: sql.placeholder('targetId'),
        hourAt: sql.placeholder('hourAt'),
        succeeded: sql.placeholder('succeeded'),
        failed: sql.placeholder('failed'),
      })
      .onConflictDoUpdate({
        target: [h.targetId, h.hourAt],
        set: {
          succeeded: sql`${h.succeeded} + excluded.succeeded`,
          failed: sql`${h.failed} + excluded.failed`,
        },
      })
      .prepare(),
  )
  await query.execute(counted)
}

export async function deleteHours({ db, tables: { deliveryHours: h } }: Handle, before: number): Promise<void> {
  await db.delete(h).where(lt(h.hourAt, before))
}

/** How the attempts of targets ended since an instant. */
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
