import type { Tx } from '../../base/context'
import { balancesByCode } from '../../people/currencies/service'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import type { EventDraft, SubscriberImage } from '../../people/events/service'
import {
  type HeldPurchase,
  listHeldPurchases,
  listHeldPurchasesWith,
  type PurchaseRow,
} from '../../people/purchases/holdings'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { bookGrants } from './grant-booking'
import type { PurchaseChange } from './model'
import { purchaseDrafts } from './purchase-drafts'

/**
 * Books the currency grants of an owner's changed purchases and records their events, with the net change of access;
 * returns what the owner holds now. An import records what happened long ago: it grants nothing and has no event of a
 * purchase, only those of the access that it changes (wire 5.16). `written`: the row of the only purchase that changed, if
 * this transaction has just written it.
 */
export async function recordPurchaseEvents(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  cause: EventCause,
  changes: readonly PurchaseChange[],
  written: PurchaseRow | null = null,
): Promise<SubscriberImage> {
  const isFirst = changes[0]?.isFirst ?? false
  const [known, purchases] = await Promise.all([
    isFirst ? {} : balancesByCode(tx, project, owner.id),
    // Grants of currency change no purchase, so PostgreSQL gets both reads at once.
    heldBy(tx, owner, isFirst, written),
  ])
  const told: EventDraft[] = []
  const booked: EventDraft[] = []
  for (const change of cause.kind === 'IMPORT' ? [] : changes) {
    told.push(...purchaseDrafts(project, change))
    booked.push(...(await bookGrants(tx, project, owner, change.row, change.lines, cause)))
  }
  const balances = { before: known, ...(booked.length === 0 ? { after: known } : {}) }
  return recordSubscriberEvents(tx, project, owner, { cause, balances, purchases, drafts: [...told, ...booked] })
}

/** What an owner holds. One whom this transaction has created has nothing but the purchase that it has written. */
async function heldBy(
  tx: Tx,
  { id }: SubscriberRow,
  isFirst: boolean,
  written: PurchaseRow | null,
): Promise<readonly HeldPurchase[]> {
  if (!written) return listHeldPurchases(tx, id)
  return isFirst ? [written] : listHeldPurchasesWith(tx, written)
}
