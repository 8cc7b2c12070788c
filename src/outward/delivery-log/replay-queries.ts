import { and, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type ReplayRow = Handle['tables']['deliveryReplays']['$inferSelect']

export async function insertReplay({ db, tables }: Handle, row: ReplayRow): Promise<void> {
  await db.insert(tables.deliveryReplays).values(row)
}

export async function findReplay({ db, tables }: Handle, id: string): Promise<ReplayRow | null> {
  const [row] = await db.select().from(tables.deliveryReplays).where(eq(tables.deliveryReplays.id, id))
  return row ?? null
}

/** Moves a replay on from its position; false when another run has moved it. */
export async function moveReplay({ db, tables }: Handle, replay: ReplayRow, to: number): Promise<boolean> {
  const { deliveryReplays: r } = tables
  const moved = await db.update(r).set({ position: to }).where(isAt(r, replay)).returning({ id: r.id })
  return moved.length > 0
}

/** Ends a replay that is at its position; false when another run has moved or ended it. */
export async function endReplay({ db, tables }: Handle, replay: ReplayRow): Promise<boolean> {
  const { deliveryReplays: r } = tables
  const ended = await db.delete(r).where(isAt(r, replay)).returning({ id: r.id })
  return ended.length > 0
}

const isAt = (r: Handle['tables']['deliveryReplays'], { id, position }: ReplayRow) =>
  and(eq(r.id, id), eq(r.position, position))
