import type { Tx } from '../../base/context'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import { storeLines } from '../../people/purchases/line-rows'
import { insertPurchase, listObservations } from '../../people/purchases/queries'
import { nextStatusChangeAt, statusAt } from '../../people/purchases/status'
import { giveSale, toUnownedPurchase, type UnlistedSaleRow } from '../../people/purchases/unlisted-sales'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { readAgain } from '../recording/held'
import { linesOf } from '../recording/line-change'
import { runOnRecorded } from '../recording/on-recorded'
import { recheckAt } from '../recording/recheck-at'
import { linkPurchases } from '../relink/link-purchases'

/**
 * Gives the lines of an unlisted sale to their buyer. Those of a product of the catalogue give their access from now on;
 * no charge until now grants currency. The caller holds the locks of the chain and of the buyer. Unless `isTold`, the
 * caller writes the events of the access.
 */
export async function adoptSales(
  tx: Tx,
  project: ProjectState,
  buyer: SubscriberRow,
  sales: readonly UnlistedSaleRow[],
  cause: EventCause,
  { isTold }: { isTold: boolean },
): Promise<void> {
  for (const sale of sales) await giveToBuyer(tx, buyer, sale)
  for (const sale of sales)
    if ((await linkPurchases(tx, project, [sale.id], cause, { wasUnlisted: true, isTold })) === 0)
      await recordUnlinked(tx, project, buyer, sale)
}

/** Publishes the access that a buyer got by lines without events, unless it was published meanwhile. */
export async function tellAccess(
  tx: Tx,
  project: ProjectState,
  buyer: SubscriberRow,
  cause: EventCause,
): Promise<void> {
  await recordSubscriberEvents(tx, project, await readAgain(tx, buyer), { cause, drafts: [] })
}

async function giveToBuyer(tx: Tx, { id: subscriberId }: SubscriberRow, sale: UnlistedSaleRow): Promise<void> {
  const { fold } = sale
  const now = tx.clock.now()
  await giveSale(tx, sale.id, subscriberId)
  await insertPurchase(tx, {
    ...toUnownedPurchase(sale),
    subscriberId,
    status: statusAt(fold, now).status,
    sweepAt: nextStatusChangeAt(fold, now),
    recheckAt: recheckAt(fold, Math.min(fold.storeEventAt, now)),
    updatedAt: now,
  })
}

/** What the slices keep of a purchase whose product no catalogue has. */
async function recordUnlinked(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  sale: UnlistedSaleRow,
): Promise<void> {
  const purchase = { ...toUnownedPurchase(sale), subscriberId: owner.id }
  const observations = await listObservations(tx, sale.id)
  const lines = linesOf([], observations, sale.fold.productType).after
  const { saved } = await storeLines(tx, project, purchase, false, lines)
  await runOnRecorded(tx, { project, owner, purchase, isNew: false, observations, fresh: [], saved })
}
