import type { Tx } from '../../base/context'
import { type EventRow, eventsAfter } from '../../people/events/feed'
import type { DeliveryKind, EventSubscription } from './kinds'
import { type DeliveryRow, insertDeliveries, type TargetRow } from './queries'
import { deleteCursor, listTargetsOf, listWithOpen, lockCursor, makeDue, saveCursor } from './target-queries'

type Draft = Omit<DeliveryRow, 'position'>

/** Events that one step turns into deliveries at most. */
const MAX_EVENTS = 200

/** What a step has done for a project. */
export interface FannedOut {
  /** Whether more events wait. */
  hasMore: boolean
  /** Events times targets: the work that it took. */
  work: number
}

const NOTHING: FannedOut = { hasMore: false, work: 0 }

/**
 * Turns the new events of a project into deliveries, one for each target that wants the event. The cursor moves in the
 * same transaction, so each event is turned exactly once, by whichever process comes first. `room` is how many
 * deliveries it should make; it exceeds that by less than one event.
 */
export async function fanOut(tx: Tx, projectId: string, room: number): Promise<FannedOut> {
  const cursor = await lockCursor(tx, projectId)
  if (cursor === null) return NOTHING
  const page = await eventsAfter(tx, projectId, cursor, MAX_EVENTS)
  if (page.position === cursor) return NOTHING
  // The cursor is locked before the targets, everywhere, so that two processes never wait for each other.
  const targets = await listTargetsOf(tx, projectId)
  if (targets.length === 0) {
    await deleteCursor(tx, projectId)
    return NOTHING
  }
  const { rows: events, position, hasMore } = firstOf(page, Math.ceil(room / targets.length))
  if (events.length > 0) await deliver(tx, projectId, targets, events)
  await saveCursor(tx, projectId, position)
  return { hasMore, work: events.length * targets.length }
}

type Page = Awaited<ReturnType<typeof eventsAfter>>

function firstOf(page: Page, count: number): Pick<Page, 'rows' | 'position' | 'hasMore'> {
  const rows = page.rows.slice(0, count)
  const position = rows.at(-1)?.position ?? page.position
  return rows.length === page.rows.length ? page : { rows, position, hasMore: true }
}

async function deliver(
  tx: Tx,
  projectId: string,
  open: readonly TargetRow[],
  events: readonly EventRow[],
): Promise<void> {
  const targets = new Map(open.map((target) => [target.targetId, target]))
  for (const kind of tx.hooks.deliveryKind ?? []) {
    for (const subscription of (await kind.subscriptionsOf?.(tx, projectId)) ?? []) {
      const target = targets.get(subscription.targetId)
      if (target) await deliverTo(tx, { kind, target, subscription }, events)
    }
  }
}

interface Receiver {
  kind: DeliveryKind
  target: TargetRow
  subscription: EventSubscription
}

async function deliverTo(tx: Tx, receiver: Receiver, events: readonly EventRow[]): Promise<void> {
  const { subscription, target } = receiver
  const now = tx.clock.now()
  const drafts = events.flatMap((event) => {
    const verdict = event.recordedAt < subscription.since ? 'IGNORE' : subscription.judge(event)
    return verdict === 'IGNORE' ? [] : [toDraft(tx, receiver, event, verdict)]
  })
  if (target.isOrdered) await hold(tx, target.targetId, drafts)
  await insertDeliveries(tx, drafts)
  if (drafts.some(({ dueAt }) => dueAt !== null)) await makeDue(tx, target.targetId, now)
}

/** Of each subscriber only the first delivery may start, and only when no earlier one is open. The others wait. */
async function hold(tx: Tx, targetId: string, drafts: readonly Draft[]): Promise<void> {
  const open = drafts.filter(({ openOrder }) => openOrder !== null)
  const subscriberIds = new Set(open.flatMap(({ subscriberId }) => subscriberId ?? []))
  const busy = await listWithOpen(tx, targetId, [...subscriberIds])
  for (const draft of open) {
    if (draft.subscriberId === null) continue
    if (busy.has(draft.subscriberId)) draft.dueAt = null
    busy.add(draft.subscriberId)
  }
}

function toDraft(
  tx: Tx,
  { kind, target }: Receiver,
  event: EventRow,
  verdict: ReturnType<EventSubscription['judge']>,
): Draft {
  const now = tx.clock.now()
  const isSent = verdict === 'SEND'
  return {
    id: tx.ids.next('whd'),
    projectId: event.projectId,
    kind: kind.kind,
    targetId: target.targetId,
    eventId: event.id,
    eventPosition: event.position,
    type: event.type,
    seq: event.seq,
    subscriberId: event.subscriberId,
    status: isSent ? 'PENDING' : 'SKIPPED',
    attempts: 0,
    dueAt: isSent ? now : null,
    openOrder: isSent ? event.position : null,
    leaseId: null,
    lastStatusCode: null,
    lastError: null,
    skipReason: verdict === 'SEND' || verdict === 'IGNORE' ? null : verdict,
    isTest: false,
    payload: null,
    log: [],
    createdAt: now,
    endedAt: isSent ? null : now,
  }
}
