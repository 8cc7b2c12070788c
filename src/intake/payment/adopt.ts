import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { storeLines } from '../../people/purchases/line-rows'
import { lockChain } from '../../people/purchases/lock'
import { insertPurchase, listObservations } from '../../people/purchases/queries'
import { nextStatusChangeAt, statusAt } from '../../people/purchases/status'
import {
  findSale,
  giveSale,
  listSalesOfChain,
  toUnownedPurchase,
  type UnlistedSaleRow,
} from '../../people/purchases/unlisted-sales'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { lockRead } from '../receipts/parties'
import { linesOf } from '../recording/line-change'
import { runOnRecorded } from '../recording/on-recorded'
import { recheckAt } from '../recording/recheck-at'
import { projectIn } from '../relink/current-project'
import { linkPurchase } from '../relink/link-purchase'
import { learnCustomer } from './customers'
import { buyerOf } from './owner'
import { namesProduct } from './unlisted'

/**
 * Makes an unlisted sale a purchase, with all lines of its chain, when the catalogue has a product of it now. Returns
 * whether it did.
 */
export async function linkSale(tx: Tx, known: ProjectState, saleId: string, cause: EventCause): Promise<boolean> {
  const found = await findSale(tx, known.id, saleId)
  if (!found) return false
  await lockChain(tx, known.id, found.store, found.chainKey)
  const project = await projectIn(tx, known)
  const sales = await listSalesOfChain(tx, known.id, found.store, found.chainKey)
  const [first] = sales
  if (!project || !first || first.erasedAt !== null || !(await isListedNow(tx, project, sales))) return false
  const { subscriber } = await lockRead(tx, async () => ({
    subscriber: await buyerOf(tx, project.id, toBuyer(first)),
    purchases: [],
    isNew: false,
  }))
  if (subscriber.erasedAt !== null) return false
  await adoptSales(tx, project, subscriber, sales, cause, { isTold: true })
  return true
}

async function isListedNow(tx: Tx, project: ProjectState, sales: readonly UnlistedSaleRow[]): Promise<boolean> {
  for (const { id } of sales)
    if ((await listObservations(tx, id)).some((one) => namesProduct(project, one))) return true
  return false
}

const toBuyer = ({ customerId, chainKey, buyerId, deviceKey, presentedContext }: UnlistedSaleRow) => ({
  customerId,
  chainKey,
  owner: { subscriberId: buyerId, deviceKey, presentedContext },
})

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
  for (const { customerId } of sales.slice(0, 1)) if (customerId !== null) await learnCustomer(tx, buyer, customerId)
  for (const sale of sales)
    if (!(await linkPurchase(tx, project, sale.id, cause, { wasUnlisted: true, isTold })))
      await recordUnlinked(tx, project, buyer, sale)
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
