import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type BodyRow = Handle['tables']['forwardBodies']['$inferSelect']

export async function insertBody({ db, tables }: Handle, row: BodyRow): Promise<void> {
  await db.insert(tables.forwardBodies).values(row)
}

export async function findBody({ db, tables }: Handle, storeEventId: string): Promise<BodyRow | null> {
  const { forwardBodies: b } = tables
  const [row] = await db.select().from(b).where(eq(b.storeEventId, storeEventId))
  return row ?? null
}

/** Counts ended deliveries of a notification, and deletes its body after the last one. */
export async function endDeliveries({ db, tables }: Handle, storeEventId: string, ended: number): Promise<void> {
  const { forwardBodies: b } = tables
  const isOf = eq(b.storeEventId, storeEventId)
  await db
    .update(b)
    .set({ open: sql`${b.open} - ${ended}` })
    .where(isOf)
  await db.delete(b).where(and(isOf, lte(b.open, 0)))
}

/** Ids that one statement names at most. */
const PAGE = 500

/** How many of these deliveries each notification has, in the order of the notifications' ids. */
export async function countByNotification(
  { db, tables }: Handle,
  deliveryIds: readonly string[],
): Promise<[storeEventId: string, deliveries: number][]> {
  const { deliveries: d } = tables
  const counts = new Map<string, number>()
  for (let from = 0; from < deliveryIds.length; from += PAGE) {
    const isNamed = inArray(d.id, deliveryIds.slice(from, from + PAGE))
    for (const { eventId } of await db.select({ eventId: d.eventId }).from(d).where(isNamed))
      if (eventId !== null) counts.set(eventId, (counts.get(eventId) ?? 0) + 1)
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
}
