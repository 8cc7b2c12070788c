import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { Handle, TransactionHandle } from '../../base/db/handle'
import { prepared, preparedChange } from '../../base/db/prepared'
import type { DeliveryKindName } from './model'
import type { TargetRow } from './queries'
import type { TargetHealth } from './tables'

export async function insertTarget({ db, tables }: Handle, row: TargetRow): Promise<void> {
  await db.insert(tables.deliveryTargets).values(row).onConflictDoNothing()
}

export async function updateTarget(handle: Handle, targetId: string, change: Partial<TargetRow>): Promise<void> {
  const { shape, params, set } = preparedChange(change)
  const query = prepared(handle, `deliveries.updateTarget ${shape}`, ({ db, tables: { deliveryTargets: t } }) =>
    db
      .update(t)
      .set(set())
      .where(eq(t.targetId, sql.placeholder('targetId')))
      .prepare(),
  )
  await query.execute({ ...params, targetId })
}

export async function deleteTarget({ db, tables }: Handle, targetId: string): Promise<void> {
  await db.delete(tables.deliveryTargets).where(eq(tables.deliveryTargets.targetId, targetId))
}

/** Locks the targets until the transaction ends, in the order of their ids; returns those that exist. */
export async function lockTargets(handle: TransactionHandle, targetIds: readonly string[]): Promise<TargetRow[]> {
  const ids = Object.fromEntries(targetIds.map((targetId, index) => [`id${index}`, targetId]))
  const query = prepared(
    handle,
    `deliveries.lockTargets ${targetIds.length}`,
    ({ db, tables: { deliveryTargets: t } }) =>
      locked(
        handle,
        db
          .select()
          .from(t)
          .where(
            inArray(
              t.targetId,
              Object.keys(ids).map((id) => sql.placeholder(id)),
            ),
          )
          .orderBy(asc(t.targetId)),
      ).prepare(),
  )
  return query.execute(ids)
}

/** The targets of a project, locked as by `lockTargets`. */
export async function listTargetsOf(handle: TransactionHandle, projectId: string): Promise<TargetRow[]> {
  const { deliveryTargets: t } = handle.tables
  return locked(handle, handle.db.select().from(t).where(eq(t.projectId, projectId)).orderBy(asc(t.targetId)))
}

/** Targets with something due, the longest waiting first. On PostgreSQL they are locked, and locked ones are left out. */
export async function listDueTargets(
  handle: TransactionHandle,
  health: TargetHealth,
  now: number,
  limit: number,
): Promise<TargetRow[]> {
  const query = prepared(handle, 'deliveries.listDueTargets', ({ db, tables: { deliveryTargets: t } }) =>
    locked(
      handle,
      db
        .select()
        .from(t)
        .where(and(eq(t.health, sql.placeholder('health')), sql`${t.dueAt} <= ${sql.placeholder('now')}`))
        .orderBy(asc(t.dueAt), asc(t.targetId))
        .limit(sql.placeholder('limit')),
      { skipLocked: true },
    ).prepare(),
  )
  return query.execute({ health, now, limit })
}

export async function hasDueTarget(handle: Handle, now: number): Promise<boolean> {
  const query = prepared(handle, 'deliveries.hasDueTarget', ({ db, tables: { deliveryTargets: t } }) =>
    db
      .select({ targetId: t.targetId })
      .from(t)
      .where(and(inArray(t.health, ['QUICK', 'NEW', 'SLOW']), sql`${t.dueAt} <= ${sql.placeholder('now')}`))
      .limit(1)
      .prepare(),
  )
  return (await query.execute({ now })).length > 0
}

/** Only PostgreSQL has row locks; drizzle's types are those of SQLite. */
function locked<Query>({ needsLocks }: TransactionHandle, query: Query, options: { skipLocked?: boolean } = {}): Query {
  const lockable = query as { for(strength: 'update', config: { skipLocked?: boolean }): Query }
  return needsLocks ? lockable.for('update', options) : query
}

/** Makes a target due no later than `dueAt`. */
export async function makeDue(handle: Handle, targetId: string, dueAt: number): Promise<void> {
  const query = prepared(handle, 'deliveries.makeDue', ({ db, tables: { deliveryTargets: t } }) =>
    db
      .update(t)
      // Drizzle's types expect a value here; at run time it accepts a placeholder too.
      .set({ dueAt: sql.placeholder('dueAt') as never })
      .where(
        and(
          eq(t.targetId, sql.placeholder('targetId')),
          sql`(${t.dueAt} is null or ${t.dueAt} > ${sql.placeholder('dueAt')})`,
        ),
      )
      .prepare(),
  )
  await query.execute({ targetId, dueAt })
}

export const setDue = (handle: Handle, targetId: string, dueAt: number | null): Promise<void> =>
  updateTarget(handle, targetId, { dueAt })

/** The earliest instant at which a delivery of the target is due; null when none is. */
export async function earliestDue(handle: Handle, targetId: string): Promise<number | null> {
  const query = prepared(handle, 'deliveries.earliestDue', ({ db, tables: { deliveries: d } }) =>
    db
      .select({ dueAt: d.dueAt })
      .from(d)
      .where(and(eq(d.targetId, sql.placeholder('targetId')), isNotNull(d.dueAt)))
      .orderBy(asc(d.dueAt))
      .limit(1)
      .prepare(),
  )
  const [row] = await query.execute({ targetId })
  return row?.dueAt ?? null
}

/** Of these subscribers, those with an open delivery of the target. */
export async function listWithOpen(
  { db, tables }: Handle,
  targetId: string,
  subscriberIds: readonly string[],
): Promise<Set<string>> {
  const { deliveries: d } = tables
  if (subscriberIds.length === 0) return new Set()
  const found = await db
    .selectDistinct({ subscriberId: d.subscriberId })
    .from(d)
    .where(and(eq(d.targetId, targetId), inArray(d.subscriberId, [...subscriberIds]), isNotNull(d.openOrder)))
  return new Set(found.flatMap(({ subscriberId }) => subscriberId ?? []))
}

/** The instant since which the longest waiting target is due; null when none is. */
export async function oldestDue({ db, tables }: Handle, now: number): Promise<number | null> {
  const { deliveryTargets: t } = tables
  const [row] = await db
    .select({ dueAt: sql<number | null>`min(${t.dueAt})`.mapWith(Number) })
    .from(t)
    .where(lte(t.dueAt, now))
  return row?.dueAt ?? null
}

export async function listTargetIds({ db, tables }: Handle): Promise<string[]> {
  const rows = await db.select({ targetId: tables.deliveryTargets.targetId }).from(tables.deliveryTargets)
  return rows.map(({ targetId }) => targetId)
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

/** How far the project's events have been turned into deliveries. The row stays locked until the transaction ends. */
export async function lockCursor(handle: TransactionHandle, projectId: string): Promise<number | null> {
  const { deliveryCursors: c } = handle.tables
  const [row] = await locked(handle, handle.db.select().from(c).where(eq(c.projectId, projectId)))
  return row?.position ?? null
}

export async function findCursor(handle: Handle, projectId: string): Promise<number | null> {
  const query = prepared(handle, 'deliveries.findCursor', ({ db, tables: { deliveryCursors: c } }) =>
    db
      .select()
      .from(c)
      .where(eq(c.projectId, sql.placeholder('projectId')))
      .prepare(),
  )
  const [row] = await query.execute({ projectId })
  return row?.position ?? null
}

export async function saveCursor({ db, tables }: Handle, projectId: string, position: number): Promise<void> {
  const { deliveryCursors: c } = tables
  await db.insert(c).values({ projectId, position }).onConflictDoUpdate({ target: c.projectId, set: { position } })
}

export async function deleteCursor({ db, tables }: Handle, projectId: string): Promise<void> {
  await db.delete(tables.deliveryCursors).where(eq(tables.deliveryCursors.projectId, projectId))
}

/** Projects with events that have not been turned into deliveries. */
export async function listBehind({ db, tables }: Handle): Promise<string[]> {
  const { deliveryCursors: c, events: e } = tables
  const isLater = sql`exists (select 1 from ${e} where ${e.projectId} = ${c.projectId} and ${e.position} > ${c.position})`
  const rows = await db.select({ projectId: c.projectId }).from(c).where(isLater)
  return rows.map(({ projectId }) => projectId)
}

/** The highest position of all projects. */
export async function lastPosition({ db, tables: { events: e } }: Handle): Promise<number> {
  const [row] = await db.select({ last: sql<number | null>`max(${e.position})`.mapWith(Number) }).from(e)
  return row?.last ?? 0
}
