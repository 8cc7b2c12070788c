import type { Tx } from '../../base/context'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import type { EventDraft } from '../../people/events/service'
import type { PurchaseRow } from '../../people/purchases/queries'
import { statusAt } from '../../people/purchases/status'
import { toPurchaseView } from '../../people/purchases/wire'
import { findSubscriber, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { stateOf } from '../recording/purchase-row'

/** A person whose access ended because another person keeps the purchase. */
export interface LostAccess {
  subscriberId: string
  appUserId: string | null
  access: string[]
}

interface Correction {
  held: PurchaseRow
  row: PurchaseRow
  mergedIds: readonly string[]
  linesRemoved: readonly string[]
  cause: EventCause
}

/** Tells the owner what became of the purchase. A person who was erased gets no events. */
export async function tellOwner(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  { held, row, mergedIds, linesRemoved, cause }: Correction,
): Promise<void> {
  if (owner.erasedAt !== null) return
  const now = tx.clock.now()
  const draft: EventDraft = {
    type: 'purchase.corrected',
    occurredAt: now,
    environment: row.environment,
    before: { purchase: toPurchaseView(project, held, stateOf(held)) },
    after: { purchase: toPurchaseView(project, row, statusAt(row.fold, now)) },
    data: { transaction: null, merged: [...mergedIds], linesRemoved: [...linesRemoved] },
  }
  await recordSubscriberEvents(tx, project, owner, { cause, drafts: [draft] })
}

/** Records the lost accesses of a former owner. */
export async function tellOther(tx: Tx, project: ProjectState, id: string, cause: EventCause): Promise<LostAccess[]> {
  const owner = await findSubscriber(tx, project.id, id)
  if (!owner || owner.erasedAt !== null) return []
  const { access } = await recordSubscriberEvents(tx, project, owner, { cause, drafts: [] })
  const lost = Object.keys(owner.toldAccess).filter((name) => !Object.hasOwn(access, name))
  return lost.length === 0 ? [] : [{ subscriberId: id, appUserId: owner.appUserId, access: lost }]
}
