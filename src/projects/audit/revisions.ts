import { and, eq, gte, inArray, lte, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { refuseOtherRevision } from '../../base/http/revision'
import type { IdPrefix } from '../../base/lib/ids'
import { toIso } from '../../base/lib/time'
import type { AuditTables } from './tables'

/** A change of one object; `before` is null for a new one. */
interface ObjectChange {
  target: { id: string }
  before: unknown
}

type Changer = AuditTables['objectRevisions']['$inferSelect']['updatedBy']

/**
 * Raises the revision of every object that the entries name. A new object has revision 1, and each later change of it
 * adds 1, from the dashboard, the command line or a project file.
 */
export async function raiseRevisions(
  { db, tables }: Handle,
  projectId: string,
  actor: Changer,
  entries: readonly ObjectChange[],
  now: number,
): Promise<void> {
  const { objectRevisions: r } = tables
  for (const { target, before } of entries) {
    const row = { projectId, objectId: target.id, updatedBy: { ...actor }, updatedAt: now }
    const set = { revision: sql`${r.revision} + 1`, updatedBy: row.updatedBy, updatedAt: now }
    const insert = db.insert(r).values({ ...row, revision: before === null ? 1 : 2 })
    await insert.onConflictDoUpdate({ target: [r.projectId, r.objectId], set })
  }
}

/** The revisions of objects by id. An object that was never changed is not in it: its revision is 1. */
export async function listRevisions(
  { db, tables }: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { objectRevisions: r } = tables
  const isAsked = and(eq(r.projectId, projectId), inArray(r.objectId, [...ids]))
  const rows = await db.select({ id: r.objectId, revision: r.revision }).from(r).where(isAsked)
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

/**
 * The revisions of all objects of a project whose ids have this prefix, as `listRevisions`. Read them before the
 * objects: then a change between the two reads makes a later `If-Match` fail. In the other order, the client would have
 * old content with a new revision, and would overwrite the change.
 */
export async function listRevisionsWith(
  { db, tables }: Handle,
  projectId: string,
  prefix: IdPrefix,
): Promise<ReadonlyMap<string, number>> {
  const { objectRevisions: r } = tables
  // The lowest and the highest id, because a database may order `_` as its language does.
  const hasPrefix = and(gte(r.objectId, `${prefix}_${'0'.repeat(26)}`), lte(r.objectId, `${prefix}_${'z'.repeat(26)}`))
  const rows = await db
    .select({ id: r.objectId, revision: r.revision })
    .from(r)
    .where(and(eq(r.projectId, projectId), hasPrefix))
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

/** The revision that an object has after the entries of an edit are recorded. Called at the end of the edit. */
export async function revisionAfter(
  { tx, projectId, entries }: { tx: Handle; projectId: string; entries: readonly ObjectChange[] },
  id: string,
): Promise<number> {
  const own = entries.filter(({ target }) => target.id === id)
  const isNew = own[0]?.before === null
  return (isNew ? 0 : ((await listRevisions(tx, projectId, [id])).get(id) ?? 1)) + own.length
}

/**
 * Who changed an object last, and when; null = no change since revisions are counted, and the revision is `unchanged`.
 */
export async function findLastChange(
  { db, tables }: Handle,
  projectId: string,
  objectId: string,
  unchanged: 0 | 1 = UNCHANGED,
) {
  const { objectRevisions: r } = tables
  const isObject = and(eq(r.projectId, projectId), eq(r.objectId, objectId))
  const [row] = await db.select().from(r).where(isObject)
  return {
    revision: row?.revision ?? unchanged,
    updatedBy: row ? (row.updatedBy.email ?? row.updatedBy.kind) : null,
    updatedAt: row ? toIso(row.updatedAt) : null,
  }
}

const UNCHANGED = 1

/** The views with their revisions, in the same order. */
export async function withRevisions<View extends { id: string }>(
  handle: Handle,
  projectId: string,
  views: readonly View[],
): Promise<(View & { revision: number })[]> {
  const found = await listRevisions(
    handle,
    projectId,
    views.map(({ id }) => id),
  )
  return views.map((view) => ({ ...view, revision: found.get(view.id) ?? 1 }))
}

export const withRevision = async <View extends { id: string }>(
  handle: Handle,
  projectId: string,
  view: View,
): Promise<View & { revision: number }> => {
  const found = await listRevisions(handle, projectId, [view.id])
  return { ...view, revision: found.get(view.id) ?? 1 }
}

/**
 * 409 `CONFLICT` with `details {revision, updatedBy, updatedAt}` when the object has another revision than the caller
 * expects; null = the caller expects none. Called in the transaction of the change, under the lock of the project.
 * `unchanged` is the revision of an object that was never changed: 0 for one that is not there.
 */
export async function requireRevision(
  handle: Handle,
  projectId: string,
  objectId: string,
  expected: number | null,
  unchanged: 0 | 1 = UNCHANGED,
): Promise<void> {
  if (expected === null) return
  refuseOtherRevision(expected, await findLastChange(handle, projectId, objectId, unchanged))
}
