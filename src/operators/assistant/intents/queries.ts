import { and, asc, desc, eq, gt, lt, lte, max } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { Page } from '../../../base/db/page'
import type { IntentStatus } from '../tables'

export type IntentRow = Handle['tables']['assistantIntents']['$inferSelect']

/** A status as people see it. */
export type ShownStatus = IntentStatus | 'EXPIRED'

export async function insertIntent({ db, tables }: Handle, row: IntentRow): Promise<void> {
  await db.insert(tables.assistantIntents).values(row)
}

export async function updateIntent({ db, tables }: Handle, id: string, change: Partial<IntentRow>): Promise<void> {
  await db.update(tables.assistantIntents).set(change).where(eq(tables.assistantIntents.id, id))
}

export async function findIntent({ db, tables }: Handle, projectId: string, id: string): Promise<IntentRow | null> {
  const { assistantIntents: i } = tables
  const [row] = await db
    .select()
    .from(i)
    .where(and(eq(i.projectId, projectId), eq(i.id, id)))
  return row ?? null
}

export interface IntentFilter {
  status?: ShownStatus | undefined
  threadId?: string | undefined
  now: number
}

export async function pageIntents(
  { db, tables }: Handle,
  projectId: string,
  { status, threadId, now }: IntentFilter,
  { beforeId, limit }: Page,
): Promise<IntentRow[]> {
  const { assistantIntents: i } = tables
  const isInTime =
    status === 'PENDING' ? gt(i.expiresAt, now) : status === 'EXPIRED' ? lte(i.expiresAt, now) : undefined
  const saved = status === 'EXPIRED' ? 'PENDING' : status
  return db
    .select()
    .from(i)
    .where(
      and(
        eq(i.projectId, projectId),
        saved === undefined ? undefined : eq(i.status, saved),
        isInTime,
        threadId === undefined ? undefined : eq(i.threadId, threadId),
        beforeId === undefined ? undefined : lt(i.id, beforeId),
      ),
    )
    .orderBy(desc(i.id))
    .limit(limit)
}

export async function listIntentsOf({ db, tables }: Handle, projectId: string): Promise<IntentRow[]> {
  const { assistantIntents: i } = tables
  return db.select().from(i).where(eq(i.projectId, projectId))
}

export async function listIntentsBefore({ db, tables }: Handle, before: number, limit: number): Promise<IntentRow[]> {
  const { assistantIntents: i } = tables
  return db.select().from(i).where(lt(i.createdAt, before)).orderBy(asc(i.createdAt)).limit(limit)
}

export async function deleteIntent({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.assistantIntents).where(eq(tables.assistantIntents.id, id))
}

/** How far the audit log of a project is written. */
export async function readAuditPosition({ db, tables }: Handle, projectId: string): Promise<number> {
  const { auditLog: a } = tables
  const [row] = await db
    .select({ last: max(a.position) })
    .from(a)
    .where(eq(a.projectId, projectId))
  return row?.last ?? 0
}

/** What a transaction has written to the audit log of a project since then. */
export async function listWritten({ db, tables }: Handle, projectId: string, after: number) {
  const { auditLog: a } = tables
  return db
    .select({ target: a.target, before: a.before, after: a.after, via: a.via })
    .from(a)
    .where(and(eq(a.projectId, projectId), gt(a.position, after)))
    .orderBy(asc(a.position))
}
