import { asc, eq, sql } from 'drizzle-orm'
import type { Handle } from '../db/handle'

export type EventRow = Handle['tables']['events']['$inferSelect']

/** Takes the next `count` numbers of a subscriber's sequence; the row stays locked until the commit. */
export async function raiseSeq({ db, tables }: Handle, subscriberId: string, count: number): Promise<number> {
  const { subscribers: s } = tables
  const raised = sql`${s.seq} + ${count}`
  const [row] = await db.update(s).set({ seq: raised }).where(eq(s.id, subscriberId)).returning({ seq: s.seq })
  if (!row) throw new Error(`subscriber ${subscriberId} is gone`)
  return row.seq
}

export async function insertEvents({ db, tables }: Handle, rows: Omit<EventRow, 'position'>[]): Promise<void> {
  await db.insert(tables.events).values(rows)
}

/** A subscriber's events, oldest first. */
export async function listEventsOf({ db, tables }: Handle, subscriberId: string): Promise<EventRow[]> {
  const { events: e } = tables
  return db.select().from(e).where(eq(e.subscriberId, subscriberId)).orderBy(asc(e.seq))
}
