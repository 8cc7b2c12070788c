import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { listByChain } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedPayment } from '../../stores/payment/decode'
import { lockRead, type Parties } from '../receipts/parties'
import { ownerOf, readAgain } from '../recording/held'
import { present } from '../recording/model'
import { recordChain } from '../recording/record-chain'
import { ERASED, idle, type Recording, recorded } from '../recording/recording'
import { learnCustomer } from './customers'
import { buyerOf, isSoldElsewhere, isUnlistedInvoice, lockPayment, PAYMENT } from './owner'
import { environmentOf, toReport } from './report'

/**
 * Records what the provider said about a purchase, in the caller's transaction. A recorded purchase keeps its owner.
 * The owner of a new one is the subscriber that checkout wrote into its metadata; else the subscriber of the customer
 * who paid; else a synthetic subscriber. Metadata never moves a recorded purchase, because the seller can edit it at
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
  if (await isUnlistedInvoice(tx, project, payment)) return idle('it is an invoice without a product of the catalogue')
  const { subscriber, purchases: held } = await lockRead(tx, () => readParties(tx, project.id, payment, buyer))
  // A purchase keeps the mode in which it was bought, even when the project sells in another mode now.
  if (held.some(({ environment }) => environment !== payment.environment))
    return idle('the purchase is of the other mode')
  if (subscriber.erasedAt !== null) return idle(ERASED)
  const rows = await recordChain(tx, project, present(subscriber), held, toReport(project, payment), cause)
  const purchase = rows.find(({ productId }) => productId !== null) ?? rows[0]
  if (!purchase) return idle('nothing was bought')
  if (payment.customerId !== null) await learnCustomer(tx, subscriber, payment.customerId)
  return recorded(purchase)
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
