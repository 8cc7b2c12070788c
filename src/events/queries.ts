import { asc, eq, sql } from 'drizzle-orm'
import type { Handle } from '../db/handle'
import { prepared, preparedRows } from '../db/prepared'
import type { AccessMap } from '../entitlements/wire'

export type EventRow = Handle['tables']['events']['$inferSelect']

/**
 * Takes the next `count` numbers of a subscriber's sequence, and saves the access that their events tell when it
 * changed; the row stays locked until the commit.
 */
export async function raiseSeq(
  handle: Handle,
  subscriberId: string,
  count: number,
  toldAccess: AccessMap | null,
): Promise<number> {
  const name = toldAccess === null ? 'subscribers.raiseSeq' : 'subscribers.raiseSeqAndTell'
  const query = prepared(handle, name, ({ db, tables: { subscribers: s } }) => {
    const raised = { seq: sql`${s.seq} + ${sql.placeholder('count')}` }
    // A placeholder stands where drizzle takes a value.
    const set = toldAccess === null ? raised : { ...raised, toldAccess: sql.placeholder('toldAccess') as never }
    return db
      .update(s)
      .set(set)
      .where(eq(s.id, sql.placeholder('subscriberId')))
      .returning({ seq: s.seq })
      .prepare()
  })
  const [row] = await query.execute({ subscriberId, count, toldAccess })
  if (!row) throw new Error(`subscriber ${subscriberId} is gone`)
  return row.seq
}

export async function insertEvents(handle: Handle, rows: Omit<EventRow, 'position'>[]): Promise<void> {
  const { shape, values, params } = preparedRows(rows)
  const build = ({ db, tables }: Handle) => db.insert(tables.events).values(values()).prepare()
  await prepared(handle, `events.insert ${shape}`, build).execute(params)
}

/** A subscriber's events, oldest first. */
export async function listEventsOf({ db, tables }: Handle, subscriberId: string): Promise<EventRow[]> {
  const { events: e } = tables
  return db.select().from(e).where(eq(e.subscriberId, subscriberId)).orderBy(asc(e.seq))
}
