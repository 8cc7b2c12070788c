import { and, asc, desc, eq, gt, lt, lte } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { ActionStatus } from './tables'

export type ActionRow = Handle['tables']['scheduledActions']['$inferSelect']

export async function insertAction({ db, tables }: Handle, row: ActionRow): Promise<void> {
  await db.insert(tables.scheduledActions).values(row)
}

export async function updateAction({ db, tables }: Handle, id: string, change: Partial<ActionRow>): Promise<void> {
  await db.update(tables.scheduledActions).set(change).where(eq(tables.scheduledActions.id, id))
}

export async function findAction({ db, tables }: Handle, id: string): Promise<ActionRow | null> {
  const { scheduledActions: a } = tables
  const [row] = await db.select().from(a).where(eq(a.id, id))
  return row ?? null
}

/** The pending action of a purchase. */
export async function findOpenAction({ db, tables }: Handle, purchaseId: string): Promise<ActionRow | null> {
  const { scheduledActions: a } = tables
  const [row] = await db
    .select()
    .from(a)
    .where(and(eq(a.purchaseId, purchaseId), eq(a.status, 'PENDING')))
  return row ?? null
}

/** Pending actions that are due, in the order of their ids, after `afterId`. */
export async function listDueActions(
  { db, tables }: Handle,
  now: number,
  afterId: string,
  limit: number,
): Promise<ActionRow[]> {
  const { scheduledActions: a } = tables
  const isDue = and(eq(a.status, 'PENDING'), lte(a.dueAt, now))
  return db
    .select()
    .from(a)
    .where(and(isDue, gt(a.id, afterId)))
    .orderBy(asc(a.id))
    .limit(limit)
}

/** Marks an action as tried at `now`. False when another process has claimed it, or it was called off. */
export async function claimAction({ db, tables }: Handle, { id, updatedAt }: ActionRow, now: number): Promise<boolean> {
  const { scheduledActions: a } = tables
  const isUnchanged = and(eq(a.id, id), eq(a.status, 'PENDING'), eq(a.updatedAt, updatedAt))
  const rows = await db.update(a).set({ updatedAt: now }).where(isUnchanged).returning({ id: a.id })
  return rows.length > 0
}

export interface ActionFilter {
  status?: ActionStatus | undefined
  /** Only actions created before this one. */
  beforeId?: string | undefined
  limit: number
}

/** Actions of a project, the newest first. */
export async function listActions(
  { db, tables }: Handle,
  projectId: string,
  { status, beforeId, limit }: ActionFilter,
): Promise<ActionRow[]> {
  const { scheduledActions: a } = tables
  const isWanted = and(
    eq(a.projectId, projectId),
    status === undefined ? undefined : eq(a.status, status),
    beforeId === undefined ? undefined : lt(a.id, beforeId),
  )
  return db.select().from(a).where(isWanted).orderBy(desc(a.id)).limit(limit)
}
