import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { lockChain } from '../../people/purchases/lock'
import { listObservations } from '../../people/purchases/queries'
import { findSale, listSalesOfChain, type UnlistedSaleRow } from '../../people/purchases/unlisted-sales'
import type { ProjectState } from '../../projects/project/state'
import { lockRead } from '../receipts/parties'
import { projectIn } from '../relink/current-project'
import { adoptSales } from './adopt'
import { learnCustomer } from './customers'
import { namesProduct } from './listed'
import { buyerOf } from './owner'

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
  if (first.customerId !== null) await learnCustomer(tx, subscriber, first.customerId)
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
