import type { Context, Tx } from '../../base/context'
import { notFound } from '../../base/errors'
import { integerAt, readCursor, toList } from '../../base/http/list'
import { queryInstant } from '../../base/http/parameters'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import { findStoreEvent } from '../inbox/service'
import type { StoreEventStatus } from '../inbox/tables'
import { toStoreEventView } from './operator-wire'
import { listStoreEvents, replayStoreEvent, type StoreEventRow } from './replay'

interface PageQuery {
  store?: Store | undefined
  status?: StoreEventStatus | undefined
  environment?: PurchaseEnvironment | undefined
  from?: string | undefined
  to?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

/** One page of a project's inbox, the newest first. */
export async function listStoreEventPage(
  ctx: Context,
  projectId: string,
  { store, status, environment, limit = 50, cursor, ...span }: PageQuery,
) {
  const scope = ['store-events', projectId, store, status, environment, span.from, span.to]
  const last = readCursor(cursor, scope, 2)
  const after = last && { receivedAt: integerAt(last, 0), id: String(last[1]) }
  const from = span.from === undefined ? undefined : queryInstant('from', span.from)
  const to = span.to === undefined ? undefined : queryInstant('to', span.to)
  const rows = await listStoreEvents(ctx, { projectId, store, status, environment, from, to, after }, limit + 1)
  const now = ctx.clock.now()
  return toList(rows, limit, scope, {
    positionOf: ({ receivedAt, id }) => [receivedAt, id],
    toItem: (row) => toStoreEventView(row, now),
  })
}

/** One notification with its body; 404 for one of another project. */
export async function getStoreEvent(ctx: Context, projectId: string, id: string) {
  const row = await findStoreEvent(ctx, id)
  if (row?.projectId !== projectId) throw notFound('store event', id)
  return { ...toStoreEventView(row, ctx.clock.now()), body: row.body }
}

/** Processes a notification again for a person. One that is processed at this moment is left alone. */
export async function reprocessStoreEvent(ctx: Context, projectId: string, id: string, actor: Actor) {
  const found = await findStoreEvent(ctx, id)
  if (found?.projectId !== projectId) throw notFound('store event', id)
  const after = await replayStoreEvent(ctx, id, noteReprocessing(actor))
  if (!after) throw notFound('store event', id)
  return toStoreEventView(after, ctx.clock.now())
}

/** Records who has a notification processed again. Written when that starts: what comes of it is in the store event. */
const noteReprocessing =
  (actor: Actor) =>
  (tx: Tx, row: StoreEventRow): Promise<void> =>
    recordAudit(tx, row.projectId, actor, [auditOf(row)])

const auditOf = (row: StoreEventRow) => ({
  action: 'storeEvent.reprocess',
  target: { type: 'storeEvent', id: row.id },
  before: imageOf(row),
  after: imageOf({ ...row, status: 'PROCESSING', attempts: row.attempts + 1, error: null }),
})

const imageOf = ({ store, type, notificationId, status, attempts, error }: StoreEventRow) => ({
  store,
  type,
  notificationId,
  status,
  attempts,
  error,
})
