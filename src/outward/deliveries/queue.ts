import type { Tx } from '../../base/context'
import type { DeliveryKindName } from './model'
import { insertDeliveries } from './queries'
import { makeDue } from './target-queries'

/** For senders of tests, which answer the delivery that they have queued. */
export { findDelivery } from './queries'

/** A delivery to be made. It starts at once. */
export interface DeliveryDraft {
  kind: DeliveryKindName
  projectId: string
  targetId: string
  type: string
  eventId?: string
  subscriberId?: string
  isTest?: boolean
  /** What the sender needs for the attempt; it comes back as `OpenDelivery.payload`. Encrypt secrets. */
  payload?: string
}

/** Writes deliveries that do not come from the event feed, in the caller's transaction. Returns their ids. */
export async function queueDeliveries(tx: Tx, drafts: readonly DeliveryDraft[]): Promise<string[]> {
  const now = tx.clock.now()
  const rows = drafts.map((draft) => toRow(tx, draft, now))
  await insertDeliveries(tx, rows)
  for (const targetId of new Set(drafts.map((draft) => draft.targetId))) await makeDue(tx, targetId, now)
  tx.afterCommit(() => tx.state.dispatcher.wake())
  return rows.map(({ id }) => id)
}

const toRow = (tx: Tx, draft: DeliveryDraft, now: number) => ({
  ...{ eventId: null, subscriberId: null, isTest: false, payload: null },
  ...draft,
  id: tx.ids.next('whd'),
  eventPosition: null,
  seq: null,
  status: 'PENDING' as const,
  attempts: 0,
  dueAt: now,
  openOrder: 0,
  leaseId: null,
  lastStatusCode: null,
  lastError: null,
  skipReason: null,
  log: [],
  createdAt: now,
  endedAt: null,
})
