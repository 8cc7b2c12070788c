import { and, eq, inArray, isNull, type Placeholder, sql } from 'drizzle-orm'
import { byPrepared } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'
import { insertMany } from '../../base/db/insert-many'
import type { SubscriberRow } from './queries'

// Statements about many subscribers at once, for imports.

/** The live rows with these labels. Merged rows have no label; that of an erased row is another one. */
export const listByLabels = (handle: Handle, projectId: string, labels: readonly string[]): Promise<SubscriberRow[]> =>
  byPrepared(handle, labels, LABELS, { projectId })

const LABELS = {
  name: 'subscribers.byLabels',
  build: ({ db, tables: { subscribers: s } }: Handle, some: Placeholder[]) =>
    db
      .select()
      .from(s)
      .where(and(eq(s.projectId, sql.placeholder('projectId')), inArray(s.appUserId, some), isNull(s.mergedInto)))
      .prepare(),
}

/** Merged and erased rows included. */
export const listByManyDevices = (
  handle: Handle,
  projectId: string,
  deviceKeys: readonly string[],
): Promise<SubscriberRow[]> => byPrepared(handle, deviceKeys, DEVICES, { projectId })

const DEVICES = {
  name: 'subscribers.byDevices',
  build: ({ db, tables: { subscribers: s } }: Handle, some: Placeholder[]) =>
    db
      .select()
      .from(s)
      .where(and(eq(s.projectId, sql.placeholder('projectId')), inArray(s.deviceKey, some)))
      .prepare(),
}

export const listByManyIds = (handle: Handle, ids: readonly string[]): Promise<SubscriberRow[]> =>
  byPrepared(handle, ids, IDS)

const IDS = {
  name: 'subscribers.byIds',
  build: ({ db, tables: { subscribers: s } }: Handle, some: Placeholder[]) =>
    db.select().from(s).where(inArray(s.id, some)).prepare(),
}

export async function insertSubscribers(handle: Handle, rows: readonly SubscriberRow[]): Promise<void> {
  await insertMany(handle, rows, {
    name: 'subscribers.insertMany',
    build: ({ db, tables }, values) => db.insert(tables.subscribers).values(values).prepare(),
  })
}
