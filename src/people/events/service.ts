import type { Tx } from '../../base/context'
import type { JsonInteger } from '../../base/lib/int64'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { AccessMap } from '../subscribers/access-map'
import type { EventCause } from './model'
import { announcePositions, insertEvents, insertManyEvents, raiseSeq } from './queries'

export { listEventTypesAfter } from './queries'

/** What every event of a subscriber contains in `before` and in `after` (wire 5.9). */
export interface SubscriberImage {
  access: AccessMap
  /** Currency code -> balance. */
  balances: Record<string, JsonInteger>
}

/** An event to be written; its `before` and `after` are added to the subscriber's images. */
export interface EventDraft {
  type: string
  occurredAt: number
  environment: PurchaseEnvironment
  data: Record<string, unknown>
  /** The view of the purchase before the change; only in `purchase.*` events, as is the one in `after`. */
  before?: { purchase: unknown }
  after?: { purchase: unknown }
}

export interface EventSubject {
  id: string
  projectId: string
  appUserId: string | null
}

interface Change {
  subject: EventSubject
  cause: EventCause
  before: SubscriberImage
  after: SubscriberImage
  /** The published access to save with these events; absent when it has not changed. */
  toldAccess?: AccessMap
}

const RANKS = ['purchase.', 'currency.', 'entitlement.', 'subscriber.']

const rankOf = (type: string): number => RANKS.findIndex((prefix) => type.startsWith(prefix)) + 1 || RANKS.length + 1

/**
 * Writes the events of a change in the transaction that makes the change. They are written in the order of wire 5.9 and
 * get the next numbers of the subscriber's gapless `seq`. Returns the last number; null when there are no drafts.
 */
export async function recordEvents(tx: Tx, change: Change, drafts: readonly EventDraft[]): Promise<number | null> {
  const rows = await numberedRows(tx, change, drafts)
  if (rows.length > 0) await insertEvents(tx, rows)
  return rows.at(-1)?.seq ?? null
}

/** Like `recordEvents`, for the changes of many subscribers. Each subscriber is there once. */
export async function recordManyEvents(
  tx: Tx,
  changes: readonly { change: Change; drafts: readonly EventDraft[] }[],
): Promise<void> {
  const rows = []
  for (const { change, drafts } of changes) rows.push(...(await numberedRows(tx, change, drafts)))
  await insertManyEvents(tx, rows)
}

/** Takes the numbers for the events of a change, and saves the access that they publish. */
async function numberedRows(tx: Tx, change: Change, drafts: readonly EventDraft[]) {
  if (drafts.length === 0) return []
  const { subject, cause, before, after, toldAccess = null } = change
  const lastSeq = await raiseSeq(tx, subject.id, drafts.length, toldAccess)
  const ordered = drafts.toSorted((a, b) => rankOf(a.type) - rankOf(b.type))
  const recordedAt = tx.clock.now()
  return ordered.map((draft, index) => ({
    id: tx.ids.next('evt'),
    projectId: subject.projectId,
    subscriberId: subject.id,
    seq: lastSeq - drafts.length + 1 + index,
    type: draft.type,
    appUserId: subject.appUserId,
    environment: draft.environment,
    occurredAt: draft.occurredAt,
    recordedAt,
    cause,
    before: { ...draft.before, ...before },
    after: { ...draft.after, ...after },
    data: draft.data,
  }))
}

/** Writes an event of a project that concerns no single subscriber. */
export async function recordProjectEvent(
  tx: Tx,
  projectId: string,
  cause: EventCause,
  { type, data }: Pick<EventDraft, 'type' | 'data'>,
): Promise<void> {
  const now = tx.clock.now()
  const about = { projectId, subscriberId: null, seq: null, appUserId: null, before: null, after: null }
  const times = { occurredAt: now, recordedAt: now }
  await announcePositions(tx)
  await insertEvents(tx, [{ id: tx.ids.next('evt'), ...about, type, environment: 'PRODUCTION', ...times, cause, data }])
}
