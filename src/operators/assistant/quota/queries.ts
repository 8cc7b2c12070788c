import { and, eq, sql, sum } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { Tokens } from '../models/model'
import type { Use } from './limits'

export type UsageRow = Handle['tables']['assistantUsage']['$inferSelect']
export type ReservationRow = Handle['tables']['assistantReservations']['$inferSelect']

export async function addUsage({ db, tables }: Handle, row: UsageRow): Promise<void> {
  const { assistantUsage: u } = tables
  const set = {
    messages: sql`${u.messages} + ${row.messages}`,
    inputTokens: sql`${u.inputTokens} + ${row.inputTokens}`,
    outputTokens: sql`${u.outputTokens} + ${row.outputTokens}`,
  }
  await db
    .insert(u)
    .values(row)
    .onConflictDoUpdate({ target: [u.projectId, u.month], set })
}

export async function findUsage({ db, tables }: Handle, projectId: string, month: string): Promise<UsageRow | null> {
  const { assistantUsage: u } = tables
  const [row] = await db
    .select()
    .from(u)
    .where(and(eq(u.projectId, projectId), eq(u.month, month)))
  return row ?? null
}

/** What the turns of a project that run now may still use in a month. */
export async function sumReservations({ db, tables }: Handle, projectId: string, month: string): Promise<Use> {
  const { assistantReservations: r } = tables
  const [row] = await db
    .select({ messages: sum(r.messages), inputTokens: sum(r.inputTokens), outputTokens: sum(r.outputTokens) })
    .from(r)
    .where(and(eq(r.projectId, projectId), eq(r.month, month)))
  const { messages, inputTokens, outputTokens } = row ?? {}
  return {
    messages: Number(messages ?? 0),
    inputTokens: Number(inputTokens ?? 0),
    outputTokens: Number(outputTokens ?? 0),
  }
}

export async function hasReservation({ db, tables }: Handle, messageId: string): Promise<boolean> {
  const { assistantReservations: r } = tables
  const [row] = await db.select({ month: r.month }).from(r).where(eq(r.messageId, messageId)).limit(1)
  return row !== undefined
}

/** Replaces the tokens that a turn has reserved in a month. Its message stays reserved. */
export async function saveReservation({ db, tables }: Handle, row: ReservationRow): Promise<void> {
  const { assistantReservations: r } = tables
  const { inputTokens, outputTokens, usedInputTokens, usedOutputTokens } = row
  await db
    .insert(r)
    .values(row)
    .onConflictDoUpdate({
      target: [r.messageId, r.month],
      set: { inputTokens, outputTokens, usedInputTokens, usedOutputTokens },
    })
}

/** False when the turn has no reservation in that month any more. */
export async function updateReservation(
  { db, tables }: Handle,
  { messageId, month }: { messageId: string; month: string },
  change: Partial<ReservationRow>,
): Promise<boolean> {
  const { assistantReservations: r } = tables
  const rows = await db
    .update(r)
    .set(change)
    .where(and(eq(r.messageId, messageId), eq(r.month, month)))
    .returning({ month: r.month })
  return rows.length > 0
}

/** Saves the last known figures of a running step. */
export const saveFigures = (
  handle: Handle,
  key: { messageId: string; month: string },
  { inputTokens: usedInputTokens, outputTokens: usedOutputTokens }: Tokens,
): Promise<boolean> => updateReservation(handle, key, { usedInputTokens, usedOutputTokens })

export async function takeReservations({ db, tables }: Handle, messageId: string): Promise<ReservationRow[]> {
  const { assistantReservations: r } = tables
  return db.delete(r).where(eq(r.messageId, messageId)).returning()
}

/** Those of all turns that run now, or whose process has ended. */
export async function listReservations({ db, tables }: Handle): Promise<ReservationRow[]> {
  return db.select().from(tables.assistantReservations)
}
