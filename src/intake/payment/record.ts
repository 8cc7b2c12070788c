import type { Tx } from '../../base/context'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import { findByChain, listByChain } from '../../people/purchases/queries'
import { listSalesOfChain } from '../../people/purchases/unlisted-sales'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedPayment } from '../../stores/payment/decode'
import { lockRead, type Parties } from '../receipts/parties'
import { ownerOf, readAgain } from '../recording/held'
import { present } from '../recording/model'
import { recordChain } from '../recording/record-chain'
import { ERASED, idle, type Recording, recorded } from '../recording/recording'
import { adoptSales } from './adopt'
import { learnCustomer } from './customers'
import { buyerOf, isSoldElsewhere, lockPayment, PAYMENT } from './owner'
import { environmentOf, toReport } from './report'
import { isListed, recordUnlisted } from './unlisted'

/**
 * Records what the provider said about a purchase, in the caller's transaction. What has no product of the catalogue is
 * kept as an unlisted sale. A recorded purchase keeps its owner. The owner of a new one is the subscriber that checkout
 * wrote into its metadata; else the subscriber of the customer who paid; else a synthetic subscriber. Metadata never moves a recorded purchase, because the seller can edit it at
 * the provider at any time. Only a transfer moves one. `buyer` is the owner of a new purchase when the caller knows them.
 */
export async function recordPayment(
  tx: Tx,
  project: ProjectState,
  payment: DecodedPayment,
  cause: EventCause,
  buyer: SubscriberRow | null = null,
): Promise<Recording> {
  if (payment.environment !== environmentOf(project, payment.chainKey))
    return idle('it is of the mode that this project does not sell in')
  await lockPayment(tx, project.id, payment.chainKey)
  if (await isSoldElsewhere(tx, project.id, payment)) return idle('another project sold it through the same account')
  if (await isUnlisted(tx, project, payment, buyer)) return recordUnlisted(tx, project, payment, cause)
  if (payment.lines.every(({ storeProductId }) => storeProductId === '')) return idle('it names no price')
  const { subscriber, purchases } = await lockRead(tx, () => readParties(tx, project.id, payment, buyer))
  const sales = purchases.length > 0 ? [] : await listSalesOfChain(tx, project.id, PAYMENT, payment.chainKey)
  // A purchase keeps the mode in which it was bought, even when the project sells in another mode now.
  if ([...purchases, ...sales].some(({ environment }) => environment !== payment.environment))
    return idle('the purchase is of the other mode')
  if (subscriber.erasedAt !== null || sales.some(({ erasedAt }) => erasedAt !== null)) return idle(ERASED)
  const wasUnlisted = sales.length > 0
  if (wasUnlisted) await adoptSales(tx, project, subscriber, sales, cause, { isTold: false })
  const held = wasUnlisted ? await listByChain(tx, project.id, PAYMENT, payment.chainKey) : purchases
  const rows = await recordChain(tx, project, present(subscriber), held, toReport(project, payment), cause)
  // A report without news tells nothing, so the access that the lines give now may be untold.
  if (wasUnlisted) await recordSubscriberEvents(tx, project, await readAgain(tx, subscriber), { cause, drafts: [] })
  const purchase = rows.find(({ productId }) => productId !== null) ?? rows[0]
  if (!purchase) return idle('nothing was bought')
  if (payment.customerId !== null) await learnCustomer(tx, subscriber, payment.customerId)
  return recorded(purchase)
}

/**
 * Whether a sale has no line of the catalogue. A recorded purchase stays one, and so does a sale of which an import tells
 * the buyer.
 */
async function isUnlisted(
  tx: Tx,
  project: ProjectState,
  payment: DecodedPayment,
  buyer: SubscriberRow | null,
): Promise<boolean> {
  if (buyer || isListed(project, payment)) return false
  return (await findByChain(tx, project.id, PAYMENT, payment.chainKey)) === null
}

async function readParties(
  tx: Tx,
  projectId: string,
  payment: DecodedPayment,
  buyer: SubscriberRow | null,
): Promise<Parties> {
  const purchases = await listByChain(tx, projectId, PAYMENT, payment.chainKey)
  const [held] = purchases
  const subscriber = held
    ? await ownerOf(tx, held)
    : await (buyer ? readAgain(tx, buyer) : buyerOf(tx, projectId, payment))
  return { subscriber, purchases, isNew: false }
}
