import { and, asc, eq, inArray, lte, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type SimulatorMessageRow = Handle['tables']['simulatorMessages']['$inferSelect']

export async function insertMessages({ db, tables }: Handle, rows: SimulatorMessageRow[]): Promise<void> {
  if (rows.length > 0) await db.insert(tables.simulatorMessages).values(rows)
}

/** All waiting messages of a project, in the order in which they were written. */
export async function listMessages({ db, tables }: Handle, projectId: string): Promise<SimulatorMessageRow[]> {
  const { simulatorMessages: m } = tables
  return db.select().from(m).where(eq(m.projectId, projectId)).orderBy(asc(m.seq))
}

/** Projects with waiting messages. */
export async function listWaitingProjects({ db, tables }: Handle): Promise<string[]> {
  const { simulatorMessages: m } = tables
  return (await db.selectDistinct({ projectId: m.projectId }).from(m)).map(({ projectId }) => projectId)
}

/** Reserves messages that no other process is delivering; returns the ids of those that were reserved. */
export async function takeMessages(
  { db, tables }: Handle,
  ids: readonly string[],
  taking: { takenBy: string; takenUntil: number; now: number },
): Promise<string[]> {
  if (ids.length === 0) return []
  const { simulatorMessages: m } = tables
  const { now, ...set } = taking
  const isFree = or(lte(m.takenUntil, now), eq(m.takenBy, taking.takenBy))
  const taken = await db
    .update(m)
    .set(set)
    .where(and(inArray(m.id, [...ids]), isFree))
    .returning({ id: m.id })
  return taken.map(({ id }) => id)
}

/** Changes a message while it is still reserved by this process. */
export async function updateMessage(
  { db, tables }: Handle,
  id: string,
  takenBy: string,
  change: Partial<SimulatorMessageRow>,
): Promise<void> {
  const { simulatorMessages: m } = tables
  await db
    .update(m)
    .set(change)
    .where(and(eq(m.id, id), eq(m.takenBy, takenBy)))
}

export async function deleteMessage({ db, tables }: Handle, id: string): Promise<void> {
  const { simulatorMessages: m } = tables
  await db.delete(m).where(eq(m.id, id))
}

/** Releases the messages that one process reserved. */
export async function releaseMessages({ db, tables }: Handle, takenBy: string): Promise<void> {
  const { simulatorMessages: m } = tables
  await db.update(m).set({ takenBy: null, takenUntil: 0 }).where(eq(m.takenBy, takenBy))
}
