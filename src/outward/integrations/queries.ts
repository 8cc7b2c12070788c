import { and, asc, desc, eq, inArray, isNotNull, isNull, like, lt, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'

export type IntegrationRow = Handle['tables']['integrations']['$inferSelect']

export async function insertIntegration({ db, tables }: Handle, row: IntegrationRow): Promise<void> {
  await db.insert(tables.integrations).values(row)
}

export async function updateIntegration(
  { db, tables }: Handle,
  id: string,
  change: Partial<IntegrationRow>,
): Promise<void> {
  await db.update(tables.integrations).set(change).where(eq(tables.integrations.id, id))
}

export async function deleteIntegration({ db, tables }: Handle, id: string): Promise<void> {
  await db.delete(tables.integrations).where(eq(tables.integrations.id, id))
}

export async function findIntegration(
  { db, tables }: Handle,
  projectId: string,
  id: string,
): Promise<IntegrationRow | null> {
  const { integrations: i } = tables
  const [row] = await db
    .select()
    .from(i)
    .where(and(eq(i.id, id), eq(i.projectId, projectId)))
  return row ?? null
}

/** The connection of a provider that a project has once. */
export async function findOnlyOne(
  { db, tables }: Handle,
  projectId: string,
  provider: string,
): Promise<IntegrationRow | null> {
  const { integrations: i } = tables
  const isIt = and(eq(i.projectId, projectId), eq(i.provider, provider), eq(i.slot, ''))
  const [row] = await db.select().from(i).where(isIt)
  return row ?? null
}

/** Newest first. */
export async function pageIntegrations(
  { db, tables }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<IntegrationRow[]> {
  const { integrations: i } = tables
  const isBefore = beforeId === undefined || beforeId === null ? undefined : lt(i.id, beforeId)
  return db
    .select()
    .from(i)
    .where(and(eq(i.projectId, projectId), isBefore))
    .orderBy(desc(i.id))
    .limit(limit)
}

export async function listEnabled({ db, tables }: Handle, projectId: string): Promise<IntegrationRow[]> {
  const { integrations: i } = tables
  return db
    .select()
    .from(i)
    .where(and(eq(i.projectId, projectId), eq(i.isEnabled, true)))
    .orderBy(asc(i.id))
}

/** Of these events, those that a connection has a delivery of, whatever became of it. */
export async function listSentEvents(
  { db, tables }: Handle,
  targetId: string,
  events: readonly { id: string; subscriberId: string | null }[],
): Promise<Set<string>> {
  if (events.length === 0) return new Set()
  const { deliveries: d } = tables
  const subscriberIds = [...new Set(events.flatMap(({ subscriberId }) => subscriberId ?? []))]
  const isOfEvent = inArray(
    d.eventId,
    events.map(({ id }) => id),
  )
  // By subscriber, because the index of a target's deliveries continues with it.
  const isOfPerson = or(isNull(d.subscriberId), inArray(d.subscriberId, subscriberIds))
  const rows = await db
    .select({ eventId: d.eventId })
    .from(d)
    .where(and(eq(d.targetId, targetId), isOfPerson, isOfEvent))
  return new Set(rows.flatMap(({ eventId }) => eventId ?? []))
}

/** The payloads, among those of these deliveries, that contain something sealed. */
export async function listSealedPayloads(
  { db, tables }: Handle,
  deliveryIds: readonly string[],
): Promise<{ id: string; payload: string }[]> {
  const { deliveries: d } = tables
  const isSealed = and(isNotNull(d.payload), like(d.payload, '%"sealed":"%'))
  const rows = await db
    .select({ id: d.id, payload: d.payload })
    .from(d)
    .where(and(inArray(d.id, [...deliveryIds]), isSealed))
  return rows.flatMap(({ id, payload }) => (payload === null ? [] : [{ id, payload }]))
}

export async function savePayload({ db, tables }: Handle, deliveryId: string, payload: string): Promise<void> {
  await db.update(tables.deliveries).set({ payload }).where(eq(tables.deliveries.id, deliveryId))
}
