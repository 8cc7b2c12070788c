import type { Context, Tx } from '../../base/context'
import { invalid, notFound } from '../../base/errors'
import { enqueue, writeQueued } from '../../base/jobs/queue'
import { toIso } from '../../base/lib/time'
import { type EventRow, eventsAt } from '../../people/events/feed'
import { rangeOf } from '../../people/events/range'
import { countRange, type EventRange, listRange } from '../../people/events/range-queries'
import { recordAudit } from '../../projects/audit/audit'
import { type EventSubscription, kindOf } from '../deliveries/kinds'
import { type DeliveryActor, queueOf, requireTarget } from '../deliveries/reopen'
import { lockTargets } from '../deliveries/target-queries'
import { hasDeliveries } from './queries'
import { isReplayed, PAGE, replayJob, subscriptionOf, writePage } from './replay-page'
import { insertReplay, type ReplayRow } from './replay-queries'

export interface ReplayOrder {
  targetId: string
  /** Unix milliseconds; the events that were recorded between them, both included. */
  from: number
  to: number
  /** Event types as in a filter; empty = all that the target gets. */
  types: string[]
}

/**
 * Makes a new delivery of every kept event of a range that the target gets, in feed order, also of those that it got
 * before; returns how many. A long range is finished by a job. 404 for an unknown target, 409 `CONFLICT` when nothing is
 * sent to it, 503 `QUEUE_UNAVAILABLE`.
 */
export async function replayDeliveries(ctx: Context, by: DeliveryActor, order: ReplayOrder): Promise<number> {
  if (order.from > order.to) throw invalid('to: not before from')
  const subscription = await subscriptionOf(ctx, { ...by, targetId: order.targetId })
  if (!subscription) await refuseTarget(ctx, by, order.targetId)
  const range = await rangeOf(ctx, by.projectId, order)
  const events = await listRange(ctx, range, PAGE)
  const total = events.length < PAGE || !subscription ? null : await countWanted(ctx, range, order, subscription)
  return writeQueued(ctx, queueOf(by.kind), (tx) => start(tx, by, { order, range, events, total }))
}

/** 404 for a target that does not exist, 409 for one to which nothing is sent. */
async function refuseTarget(ctx: Context, { projectId, kind }: DeliveryActor, targetId: string): Promise<never> {
  const isKnown = await kindOf(ctx, kind).isKnown?.(ctx, projectId, targetId)
  if (!isKnown && !(await hasDeliveries(ctx, projectId, kind, targetId)))
    throw notFound(kind === 'WEBHOOK' ? 'webhook endpoint' : 'destination', targetId)
  requireTarget(undefined)
  throw notFound(kind === 'WEBHOOK' ? 'webhook endpoint' : 'destination', targetId)
}

interface Start {
  order: ReplayOrder
  range: EventRange
  /** The first page. */
  events: readonly EventRow[]
  /** How many deliveries all pages will make; null when the first page is the only one. */
  total: number | null
}

async function start(tx: Tx, by: DeliveryActor, { order, range, events, total }: Start): Promise<number> {
  const { targetId, from, to, types } = order
  const [locked] = await lockTargets(tx, [targetId])
  const target = requireTarget(locked)
  const { projectId, kind, actor } = by
  const position = events.at(-1)?.position ?? range.until
  const about = { projectId, kind, targetId, types, from, to, position, until: range.until }
  const replay: ReplayRow = { ...about, id: tx.ids.next('rpl'), createdAt: tx.clock.now() }
  const queued = Math.max(await writePage(tx, replay, target, events), total ?? 0)
  if (total !== null) {
    await insertReplay(tx, replay)
    await enqueue(tx, replayJob, { replayId: replay.id }, { dedupeKey: replay.id })
  }
  if (queued > 0) await recordAudit(tx, projectId, actor, [entryOf(replay, queued)])
  return queued
}

const entryOf = ({ id, kind, targetId, types, from, to }: ReplayRow, queued: number) => ({
  action: `${kind.toLowerCase()}Delivery.replay`,
  target: { type: 'deliveryReplay', id },
  before: null,
  after: { endpointId: targetId, from: toIso(from), to: toIso(to), types, queued },
})

/** Whether an event is sent depends on its type and environment, so one event of each decides about all of them. */
async function countWanted(ctx: Context, range: EventRange, order: ReplayOrder, subscription: EventSubscription) {
  const groups = await ctx.storage.readInThread((handle) => countRange(handle, range), { group: range.projectId })
  const firsts = await eventsAt(
    ctx,
    groups.map(({ first }) => first),
  )
  const wanted = new Set(
    firsts.filter((event) => isReplayed(order, subscription, event)).map(({ position }) => position),
  )
  return groups.reduce((sum, { count, first }) => sum + (wanted.has(first) ? count : 0), 0)
}
