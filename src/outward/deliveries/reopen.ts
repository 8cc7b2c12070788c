import type { Context, Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { writeQueued } from '../../base/jobs/queue'
import { EVENT_TYPES } from '../../people/events/event-types'
import type { EventRow } from '../../people/events/feed'
import { findEvent } from '../../people/events/range-queries'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import { conflict } from '../../projects/project/edit'
import type { DeliveryKindName } from './model'
import { type DeliveryRow, findDelivery, insertDeliveries, type TargetRow } from './queries'
import { changeDead } from './reopen-queries'
import { listWithOpen, lockTargets, makeDue } from './target-queries'

/** For slices that show deliveries and do something with them. */
export { type DeliveryRow, findDelivery, type TargetRow } from './queries'

/** Who does something with a delivery, and which deliveries the route is about. */
export interface DeliveryActor {
  projectId: string
  kind: DeliveryKindName
  actor: Actor
}

/** The name of the queue in `QUEUE_UNAVAILABLE`. */
export const queueOf = (kind: DeliveryKindName): string => (kind === 'INTEGRATION' ? 'integration' : 'webhook')

/**
 * Gives a DEAD delivery all its attempts again, under its id. 404, 400 `WEBHOOK_STATE` for another status, 409
 * `CONFLICT` when nothing is sent to its target any more.
 */
export const retryDelivery = (ctx: Context, by: DeliveryActor, id: string): Promise<DeliveryRow> =>
  ctx.write(async (tx) => {
    const { row, target } = await lockDelivery(tx, by, id)
    if (row.status !== 'DEAD') throw wrongState('retry', row)
    const open = requireTarget(target)
    const place = await placeIn(tx, open, row)
    const isChanged = await changeDead(tx, row.position, { ...AGAIN, ...place })
    if (!isChanged) throw wrongState('retry', await findOwn(tx, by, id))
    await begin(tx, [{ targetId: row.targetId, ...place }])
    return recordMove(tx, by, row, 'retry')
  })

/** Marks a DEAD delivery as dealt with. 404, and 400 `WEBHOOK_STATE` for another status. */
export const dismissDelivery = (ctx: Context, by: DeliveryActor, id: string): Promise<DeliveryRow> =>
  ctx.write(async (tx) => {
    const row = await findOwn(tx, by, id)
    const isChanged = await changeDead(tx, row.position, { status: 'DISMISSED', endedAt: tx.clock.now() })
    if (!isChanged) throw wrongState('dismiss', await findOwn(tx, by, id))
    return recordMove(tx, by, row, 'dismiss')
  })

/**
 * Makes a new delivery of the same event to the same target, whatever has become of the old one. 404, 409
 * `TEST_DELIVERY_NOT_REDELIVERABLE`, 410 `WEBHOOK_EVENT_EXPIRED`, 422 `WEBHOOK_EVENT_UNMAPPABLE`, 409 `CONFLICT` when
 * nothing is sent to its target any more, 503 `QUEUE_UNAVAILABLE`.
 */
export const redeliver = (ctx: Context, by: DeliveryActor, id: string): Promise<DeliveryRow> =>
  writeQueued(ctx, queueOf(by.kind), async (tx) => {
    const { row, target } = await lockDelivery(tx, by, id)
    const event = await eventOf(tx, row)
    const [made] = await reopenEvents(tx, requireTarget(target), [event])
    if (!made) throw new Error('no delivery was made')
    await recordAudit(tx, by.projectId, by.actor, [
      { ...noteOf(by, 'redeliver', made.id), before: null, after: { ...imageOf(made), redeliveryOf: row.id } },
    ])
    return findOwn(tx, by, made.id)
  })

/**
 * Writes a delivery of each event to a target that the caller has locked, in the order of the events. On an ordered
 * target only the first of a subscriber may start, and only when none of the subscriber is open.
 */
export async function reopenEvents(tx: Tx, target: TargetRow, events: readonly EventRow[]): Promise<Draft[]> {
  const busy = target.isOrdered ? await listWithOpen(tx, target.targetId, subscribersOf(events)) : new Set<string>()
  const drafts = events.map((event) => {
    const { subscriberId } = event
    const waits = target.isOrdered && subscriberId !== null && busy.has(subscriberId)
    if (subscriberId !== null) busy.add(subscriberId)
    return toDraft(tx, target, event, waits)
  })
  await insertDeliveries(tx, drafts)
  await begin(tx, drafts)
  return drafts
}

/** The target of a delivery that is to be sent; 409 when nothing is sent to it any more. */
export function requireTarget(target: TargetRow | undefined): TargetRow {
  if (target) return target
  throw conflict('The endpoint is switched off or deleted; switch it on, or make a new one, and repeat this')
}

type Draft = Omit<DeliveryRow, 'position'>

const subscribersOf = (events: readonly EventRow[]): string[] => [
  ...new Set(events.flatMap(({ subscriberId }) => subscriberId ?? [])),
]

/** The members of a delivery whose attempts start again. The log of the earlier attempts is kept. */
const AGAIN = {
  status: 'PENDING',
  attempts: 0,
  leaseId: null,
  lastStatusCode: null,
  lastError: null,
  skipReason: null,
  endedAt: null,
} as const

/** The delivery, with its target locked until the transaction ends; no target when nothing is sent to it any more. */
async function lockDelivery(tx: Tx, by: DeliveryActor, id: string) {
  const { targetId } = await findOwn(tx, by, id)
  const [target] = await lockTargets(tx, [targetId])
  return { target, row: await findOwn(tx, by, id) }
}

async function findOwn(tx: Tx, { projectId, kind }: DeliveryActor, id: string): Promise<DeliveryRow> {
  const row = await findDelivery(tx, projectId, id)
  if (row?.kind !== kind) throw notFound('delivery', id)
  return row
}

const wrongState = (action: 'retry' | 'dismiss', { status }: DeliveryRow): AppError =>
  new AppError('WEBHOOK_STATE', { action, status })

async function eventOf(tx: Tx, row: DeliveryRow): Promise<EventRow> {
  if (row.isTest) throw new AppError('TEST_DELIVERY_NOT_REDELIVERABLE')
  const event = row.eventId === null ? null : await findEvent(tx, row.projectId, row.eventId)
  if (!event) throw new AppError('WEBHOOK_EVENT_EXPIRED')
  const known: readonly string[] = EVENT_TYPES
  if (!known.includes(event.type)) throw new AppError('WEBHOOK_EVENT_UNMAPPABLE')
  return event
}

/** On an ordered target a delivery waits while another one of its subscriber is open. */
async function placeIn(tx: Tx, { targetId, isOrdered }: TargetRow, { subscriberId, eventPosition }: DeliveryRow) {
  const waits =
    isOrdered && subscriberId !== null && (await listWithOpen(tx, targetId, [subscriberId])).has(subscriberId)
  return { openOrder: eventPosition ?? 0, dueAt: waits ? null : tx.clock.now() }
}

/** Wakes the dispatcher when one of the deliveries may start. All are of one target. */
async function begin(tx: Tx, written: readonly Pick<DeliveryRow, 'targetId' | 'dueAt'>[]): Promise<void> {
  const first = written.find(({ dueAt }) => dueAt !== null)
  if (!first) return
  await makeDue(tx, first.targetId, tx.clock.now())
  tx.afterCommit(() => tx.state.dispatcher.wake())
}

async function recordMove(tx: Tx, by: DeliveryActor, before: DeliveryRow, action: 'retry' | 'dismiss') {
  const after = await findOwn(tx, by, before.id)
  const images = { before: imageOf(before), after: imageOf(after) }
  await recordAudit(tx, by.projectId, by.actor, [{ ...noteOf(by, action, before.id), ...images }])
  return after
}

const noteOf = ({ kind }: DeliveryActor, action: string, id: string) => {
  const type = `${kind.toLowerCase()}Delivery`
  return { action: `${type}.${action}`, target: { type, id } }
}

const imageOf = ({ targetId, eventId, type, status, attempts }: Draft) => ({
  endpointId: targetId,
  eventId,
  type,
  status,
  attempts,
})

function toDraft(tx: Tx, { targetId, kind, projectId }: TargetRow, event: EventRow, waits: boolean): Draft {
  const now = tx.clock.now()
  return {
    ...AGAIN,
    ...{ id: tx.ids.next('whd'), projectId, kind, targetId },
    ...{ eventId: event.id, eventPosition: event.position, type: event.type, seq: event.seq },
    subscriberId: event.subscriberId,
    dueAt: waits ? null : now,
    openOrder: event.position,
    ...{ isTest: false, payload: null, log: [], createdAt: now },
  }
}
