import { and, eq, inArray, isNull } from 'drizzle-orm'
import { bySome } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'
import { insertMany } from '../../base/db/insert-many'
import type { SubscriberRow } from './queries'

// Statements about many subscribers at once, for imports.

/** The live rows with these labels. Merged rows have no label; that of an erased row is another one. */
export const listByLabels = (
  { db, tables: { subscribers: s } }: Handle,
  projectId: string,
  labels: readonly string[],
): Promise<SubscriberRow[]> =>
  bySome(labels, (some) =>
    db
      .select()
      .from(s)
      .where(and(eq(s.projectId, projectId), inArray(s.appUserId, some), isNull(s.mergedInto))),
  )

/** Merged and erased rows included. */
export const listByManyDevices = (
  { db, tables: { subscribers: s } }: Handle,
  projectId: string,
  deviceKeys: readonly string[],
): Promise<SubscriberRow[]> =>
  bySome(deviceKeys, (some) =>
    db
      .select()
      .from(s)
      .where(and(eq(s.projectId, projectId), inArray(s.deviceKey, some))),
  )

export const listByManyIds = (
  { db, tables: { subscribers: s } }: Handle,
  ids: readonly string[],
): Promise<SubscriberRow[]> => bySome(ids, (some) => db.select().from(s).where(inArray(s.id, some)))

export async function insertSubscribers(handle: Handle, rows: readonly SubscriberRow[]): Promise<void> {
  await insertMany(handle, rows, {
    name: 'subscribers.insertMany',
    build: ({ db, tables }, values) => db.insert(tables.subscribers).values(values).prepare(),
  })
}
