import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { findByChain } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedPayment } from '../../stores/payment/decode'
import { lockRead, type Parties } from '../receipts/parties'
import { ownerOf, readAgain } from '../recording/held'
import { present } from '../recording/model'
import { recordObservations } from '../recording/record-observations'
import { ERASED, idle, type Recording, recorded } from '../recording/recording'
import { learnCustomer } from './customers'
import { buyerOf, isSoldElsewhere, PAYMENT } from './owner'
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
  await tx.lock(`purchase:${project.id}:${PAYMENT}:${payment.chainKey}`)
  if (await isSoldElsewhere(tx, project.id, payment)) return idle('another project sold it through the same account')
  const { subscriber, purchases } = await lockRead(tx, () => readParties(tx, project.id, payment, buyer))
  const [held = null] = purchases
  // A purchase keeps the mode in which it was bought, even when the project sells in another mode now.
  if (held && held.environment !== payment.environment) return idle('the purchase is of the other mode')
  if (subscriber.erasedAt !== null) return idle(ERASED)
  const report = toReport(project, payment, held)
  const { purchase } = await recordObservations(tx, project, present(subscriber), held, report, cause)
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
  const held = await findByChain(tx, projectId, PAYMENT, payment.chainKey)
  const subscriber = held
    ? await ownerOf(tx, held)
    : await (buyer ? readAgain(tx, buyer) : buyerOf(tx, projectId, payment))
  return { subscriber, purchases: held ? [held] : [], isNew: false }
}
