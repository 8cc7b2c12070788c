import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'
import { prepared } from '../../base/db/prepared'
import { type Readable, readEach } from '../../base/db/readable'

export type EndpointRow = Handle['tables']['webhookEndpoints']['$inferSelect']

/** A project's endpoints, by name. */
export async function listEndpoints({ db, tables }: Handle, projectId: string): Promise<EndpointRow[]> {
  const { webhookEndpoints: w } = tables
  return db.select().from(w).where(eq(w.projectId, projectId)).orderBy(w.name)
}

/** As `listEndpoints`, with the ids of the rows that cannot be read. */
export function listReadableEndpoints({ db, tables }: Handle, projectId: string): Promise<Readable<EndpointRow>> {
  const { webhookEndpoints: w } = tables
  const isOwn = eq(w.projectId, projectId)
  return readEach<EndpointRow>(
    (which) => db.select().from(w).where(and(isOwn, which)).orderBy(w.name),
    () => db.select({ id: w.id }).from(w).where(isOwn).orderBy(w.name),
    (id) => eq(w.id, id),
  )
}

export async function pageEndpoints(
  { db, tables }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<EndpointRow[]> {
  const { webhookEndpoints: w } = tables
  const isBefore = beforeId === undefined ? undefined : lt(w.id, beforeId)
  const found = db
    .select()
    .from(w)
    .where(and(eq(w.projectId, projectId), isBefore))
  return found.orderBy(desc(w.id)).limit(limit)
}

export async function findEndpoint(handle: Handle, projectId: string, id: string): Promise<EndpointRow | null> {
  const query = prepared(handle, 'webhooks.find', ({ db, tables: { webhookEndpoints: w } }) =>
    db
      .select()
      .from(w)
      .where(and(eq(w.projectId, sql.placeholder('projectId')), eq(w.id, sql.placeholder('id'))))
      .prepare(),
  )
  const [row] = await query.execute({ projectId, id })
  return row ?? null
}

export async function insertEndpoint({ db, tables }: Handle, row: EndpointRow): Promise<void> {
  await db.insert(tables.webhookEndpoints).values(row)
}

export async function updateEndpoint({ db, tables }: Handle, id: string, change: Partial<EndpointRow>): Promise<void> {
  await db.update(tables.webhookEndpoints).set(change).where(eq(tables.webhookEndpoints.id, id))
}

/** Gives the rows that are about to change a temporary name, so that they can exchange names in one transaction. */
export async function releaseNames({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { webhookEndpoints: w } = tables
  await db
    .update(w)
    .set({ name: sql`'~' || ${w.id}` })
    .where(inArray(w.id, [...ids]))
}

export async function deleteEndpoint({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.webhookEndpoints).where(eq(tables.webhookEndpoints.id, id))
}
