import type { Tx } from '../../base/context'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { AccessMap } from '../subscribers/access-map'
import type { EventCause } from './model'
import { insertEvents, raiseSeq } from './queries'

/** What every event of a subscriber carries before and after (wire 5.9). */
export interface SubscriberImage {
  access: AccessMap
  /** Currency code -> balance. */
  balances: Record<string, number>
}

/** One event to be written; `before` and `after` join the subscriber's images. */
export interface EventDraft {
  type: string
  occurredAt: number
  environment: PurchaseEnvironment
  data: Record<string, unknown>
  /** The purchase's own views, for `purchase.*` events. */
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
  /** The access that these events tell, to be saved with them; absent when it is what was told before. */
  toldAccess?: AccessMap
}

const RANKS = ['purchase.', 'currency.', 'entitlement.', 'subscriber.']

const rankOf = (type: string): number => RANKS.findIndex((prefix) => type.startsWith(prefix)) + 1 || RANKS.length + 1

/**
 * Writes a change's events in the transaction that makes the change, in the order of wire 5.9, with the next
 * numbers of the subscriber's gapless `seq`. Returns the last number, or null when there was nothing to write.
 */
export async function recordEvents(tx: Tx, change: Change, drafts: readonly EventDraft[]): Promise<number | null> {
  if (drafts.length === 0) return null
  const { subject, cause, before, after, toldAccess = null } = change
  const lastSeq = await raiseSeq(tx, subject.id, drafts.length, toldAccess)
  const ordered = drafts.toSorted((a, b) => rankOf(a.type) - rankOf(b.type))
  const recordedAt = tx.clock.now()
  const rows = ordered.map((draft, index) => ({
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
  await insertEvents(tx, rows)
  return lastSeq
}
