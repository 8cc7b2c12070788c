import type { Tx } from '../../base/context'
import { balancesByCode } from '../../people/currencies/service'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import type { SubscriberImage } from '../../people/events/service'
import { listPurchases } from '../../people/purchases/holdings'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { bookGrants } from './grant-booking'
import { type PurchaseChange, purchaseDrafts } from './purchase-drafts'

/** Books the currency grants of a changed purchase and records its events; returns what its owner holds now. */
export async function recordPurchaseEvents(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  change: PurchaseChange,
): Promise<SubscriberImage> {
  const { row, lines, cause, isFirst } = change
  const [known, purchases] = await Promise.all([
    isFirst ? {} : balancesByCode(tx, project, owner.id),
    listPurchases(tx, owner.id), // Grants of currency change no purchase, so PostgreSQL gets both reads at once.
  ])
  const booked = await bookGrants(tx, project, owner, row, lines, cause)
  const balances = { before: known, ...(booked.length === 0 ? { after: known } : {}) }
  return recordSubscriberEvents(tx, project, owner, {
    cause,
    balances,
    purchases,
    drafts: [...purchaseDrafts(project, change), ...booked],
  })
}
