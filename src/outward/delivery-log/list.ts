import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { integerAt, type Position } from '../../base/http/list'
import { type ScannedPage, scanRows } from '../../base/http/scan'
import { findEvent, listEnvironments } from '../../people/events/range-queries'
import type { PurchaseEnvironment } from '../../stores/observation'
import { toOpenDelivery } from '../deliveries/attempt'
import { kindOf } from '../deliveries/kinds'
import type { DeliveryKindName } from '../deliveries/model'
import { type DeliveryRow, findDelivery } from '../deliveries/reopen'
import { type Entry, type LogRange, listByPosition, listEntries } from './queries'

/** Which deliveries a list has; null = all. */
export interface LogFilter extends LogRange {
  type: string | null
  /** Tests, and events that are not kept any more, are in both. Absent = both. */
  environment?: PurchaseEnvironment | undefined
}

/** How many deliveries one request reads at most to find those that pass the filters. */
const MOST_READ = 2000

/** A page of a project's deliveries that pass every filter, newest first. */
export async function listDeliveries(
  ctx: Context,
  filter: LogFilter,
  page: { after: Position | null; limit: number },
): Promise<ScannedPage<DeliveryRow>> {
  const { rows, next } = await scanRows<Entry>(
    {
      positionOf: ({ position }) => [position],
      read: (after, limit) => listEntries(ctx, filter, after && integerAt(after, 0), limit),
    },
    { ...page, most: MOST_READ, keep: (entries) => keepListed(ctx, filter, entries) },
  )
  return {
    next,
    rows: await listByPosition(
      ctx,
      rows.map(({ position }) => position),
    ),
  }
}

async function keepListed(ctx: Context, filter: LogFilter, entries: readonly Entry[]): Promise<Entry[]> {
  const listed = entries.filter((entry) => isListed(filter, entry))
  const { environment } = filter
  if (environment === undefined) return listed
  const found = await environmentsOf(ctx, filter.projectId, listed)
  return listed.filter(({ eventId }) => (found.get(eventId ?? '') ?? environment) === environment)
}

/** The environments of the events of deliveries, by event. */
export const environmentsOf = (
  ctx: Context,
  projectId: string,
  entries: readonly Pick<Entry, 'eventId'>[],
): Promise<Map<string, PurchaseEnvironment>> =>
  listEnvironments(
    ctx,
    projectId,
    entries.flatMap(({ eventId }) => eventId ?? []),
  )

const isListed = ({ projectId, kind, targetId, subscriberId, status, type }: LogFilter, entry: Entry): boolean =>
  entry.projectId === projectId &&
  entry.kind === kind &&
  (targetId === null || entry.targetId === targetId) &&
  (subscriberId === null || entry.subscriberId === subscriberId) &&
  (status === null || entry.status === status) &&
  (type === null || entry.type === type)

/** A delivery and the body that an attempt would send now. 404 for one of another project or kind. */
export async function getDelivery(
  ctx: Context,
  projectId: string,
  kind: DeliveryKindName,
  id: string,
): Promise<{ row: DeliveryRow; body: string | null }> {
  const row = await findDelivery(ctx, projectId, id)
  if (row?.kind !== kind) throw notFound('delivery', id)
  return { row, body: await bodyOf(ctx, row) }
}

async function bodyOf(ctx: Context, row: DeliveryRow): Promise<string | null> {
  const event = row.eventId === null ? null : await findEvent(ctx, row.projectId, row.eventId)
  if (event === null && row.payload === null) return null
  return (await kindOf(ctx, row.kind).bodyOf?.(ctx, toOpenDelivery(row, event))) ?? null
}
