import { and, asc, count, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { Page } from '../../../base/db/page'

export type ThreadRow = Handle['tables']['assistantThreads']['$inferSelect']
export type MessageRow = Handle['tables']['assistantMessages']['$inferSelect']

/** Whose threads are meant: others have none of them. */
export interface Author {
  projectId: string
  userId: string
}

export async function pageThreads(
  { db, tables }: Handle,
  { projectId, userId }: Author,
  { beforeId, limit }: Page,
): Promise<ThreadRow[]> {
  const { assistantThreads: t } = tables
  const isEarlier = beforeId === undefined ? undefined : lt(t.id, beforeId)
  return db
    .select()
    .from(t)
    .where(and(eq(t.projectId, projectId), eq(t.userId, userId), isEarlier))
    .orderBy(desc(t.id))
    .limit(limit)
}

export async function countThreads({ db, tables }: Handle, { projectId, userId }: Author): Promise<number> {
  const { assistantThreads: t } = tables
  const [row] = await db
    .select({ count: count() })
    .from(t)
    .where(and(eq(t.projectId, projectId), eq(t.userId, userId)))
  return row?.count ?? 0
}

export async function findThread({ db, tables }: Handle, { projectId, userId }: Author, id: string) {
  const { assistantThreads: t } = tables
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.projectId, projectId), eq(t.userId, userId), eq(t.id, id)))
  return row ?? null
}

export async function insertThread({ db, tables }: Handle, row: ThreadRow): Promise<void> {
  await db.insert(tables.assistantThreads).values(row)
}

export async function updateThread({ db, tables }: Handle, id: string, change: Partial<ThreadRow>): Promise<void> {
  await db.update(tables.assistantThreads).set(change).where(eq(tables.assistantThreads.id, id))
}

/** No answer is being written. */
export const NO_TURN = { turnMessageId: null, turnInstance: null, turnStartedAt: null, turnStoppedAt: null }

/** Changes the thread of an answer, unless the answer was taken from it meanwhile. */
export async function updateTurn(
  { db, tables }: Handle,
  { threadId, messageId }: { threadId: string; messageId: string },
  change: Partial<ThreadRow>,
): Promise<void> {
  const { assistantThreads: t } = tables
  await db
    .update(t)
    .set(change)
    .where(and(eq(t.id, threadId), eq(t.turnMessageId, messageId)))
}

export async function deleteThreadRows({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.assistantMessages).where(eq(tables.assistantMessages.threadId, id))
  await db.delete(tables.assistantThreads).where(eq(tables.assistantThreads.id, id))
}

export async function listMessages({ db, tables }: Handle, threadId: string): Promise<MessageRow[]> {
  const { assistantMessages: m } = tables
  return db.select().from(m).where(eq(m.threadId, threadId)).orderBy(asc(m.id))
}

export async function findMessage({ db, tables }: Handle, threadId: string, id: string): Promise<MessageRow | null> {
  const { assistantMessages: m } = tables
  const [row] = await db
    .select()
    .from(m)
    .where(and(eq(m.threadId, threadId), eq(m.id, id)))
  return row ?? null
}

/** By its id alone; null when it was deleted. */
export async function findAnswer({ db, tables }: Handle, id: string): Promise<MessageRow | null> {
  const { assistantMessages: m } = tables
  const [row] = await db.select().from(m).where(eq(m.id, id))
  return row ?? null
}

export async function insertMessages({ db, tables }: Handle, rows: readonly MessageRow[]): Promise<void> {
  await db.insert(tables.assistantMessages).values([...rows])
}

export async function updateMessage({ db, tables }: Handle, id: string, change: Partial<MessageRow>): Promise<void> {
  await db.update(tables.assistantMessages).set(change).where(eq(tables.assistantMessages.id, id))
}

export async function deleteMessage({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.assistantMessages).where(eq(tables.assistantMessages.id, id))
}

/** Threads whose answer is being written, by whatever process. */
export async function listTurns({ db, tables }: Handle): Promise<ThreadRow[]> {
  const { assistantThreads: t } = tables
  return db.select().from(t).where(sql`${t.turnInstance} is not null`)
}

/** Of these threads, those that still exist. */
export async function listThreadsOf({ db, tables }: Handle, ids: readonly string[]): Promise<ThreadRow[]> {
  return db
    .select()
    .from(tables.assistantThreads)
    .where(inArray(tables.assistantThreads.id, [...ids]))
}

/** Marks the answer of a thread to be ended by the process that writes it; false when it is not written any more. */
export async function markStopped(
  { db, tables }: Handle,
  { threadId, messageId }: { threadId: string; messageId: string },
  now: number,
): Promise<boolean> {
  const { assistantThreads: t } = tables
  const rows = await db
    .update(t)
    .set({ turnStoppedAt: now })
    .where(and(eq(t.id, threadId), eq(t.turnMessageId, messageId)))
    .returning({ id: t.id })
  return rows.length > 0
}

export async function listThreadsBefore({ db, tables }: Handle, before: number, limit: number): Promise<ThreadRow[]> {
  const { assistantThreads: t } = tables
  return db.select().from(t).where(lt(t.lastMessageAt, before)).orderBy(asc(t.lastMessageAt)).limit(limit)
}
