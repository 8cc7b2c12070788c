import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { findByChain, type PurchaseRow } from '../../people/purchases/queries'
import { findStoreProduct } from '../../people/purchases/store-product'
import type { ProjectState } from '../../projects/project/state'
import type { ProductType, PurchaseEnvironment } from '../../stores/observation'
import type { DecodedPayment } from '../../stores/payment/decode'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import { lockRead, type Parties } from '../receipts/parties'
import { ownerOf } from '../recording/held'
import { type PurchaseReport, present } from '../recording/model'
import { recordObservations } from '../recording/record-observations'
import { ERASED, idle, type Recording, recorded } from '../recording/recording'
import { learnCustomer } from './customer-customers'
import { buyerOf, isSoldElsewhere, PAYMENT } from './owner'

/**
 * Records in the caller's transaction what the provider said of a purchase. Whose it is: its owner. Of an unknown one
 * the subscriber that checkout wrote into its metadata; else the one whose customer paid; else a synthetic subscriber.
 * Metadata never moves a purchase that somebody owns: the seller can edit it at the provider at any time, and a
 * transfer is the way to move one.
 */
export async function recordPayment(
  tx: Tx,
  project: ProjectState,
  payment: DecodedPayment,
  cause: EventCause,
): Promise<Recording> {
  if (payment.environment !== environmentOf(project, payment.chainKey))
    return idle('it is of the mode that this project does not sell in')
  await tx.lock(`purchase:${project.id}:${PAYMENT}:${payment.chainKey}`)
  if (await isSoldElsewhere(tx, project.id, payment)) return idle('another project sold it through the same account')
  const { subscriber, purchases } = await lockRead(tx, () => readParties(tx, project.id, payment))
  const [held = null] = purchases
  // What was bought in one mode stays there, whatever the project sells in by now.
  if (held && held.environment !== payment.environment) return idle('the purchase is of the other mode')
  if (subscriber.erasedAt !== null) return idle(ERASED)
  const report = toReport(project, payment, held)
  const { purchase } = await recordObservations(tx, project, present(subscriber), held, report, cause)
  if (!purchase) return idle('nothing was bought')
  if (payment.customerId !== null) await learnCustomer(tx, subscriber, payment.customerId)
  return recorded(purchase)
}

/** Where a purchase of the project counts; null when it sells through no account. The test store's never cost money. */
export const environmentOf = ({ payment }: ProjectState, chainKey: string): PurchaseEnvironment | null =>
  isSimulatedPayment(chainKey) ? 'SANDBOX' : payment && (payment.mode === 'live' ? 'PRODUCTION' : 'SANDBOX')

async function readParties(tx: Tx, projectId: string, payment: DecodedPayment): Promise<Parties> {
  const held = await findByChain(tx, projectId, PAYMENT, payment.chainKey)
  const subscriber = held ? await ownerOf(tx, held) : await buyerOf(tx, projectId, payment)
  return { subscriber, purchases: held ? [held] : [], isNew: false }
}

const toReport = (project: ProjectState, payment: DecodedPayment, held: PurchaseRow | null): PurchaseReport => ({
  store: PAYMENT,
  environment: payment.environment,
  chainKey: payment.chainKey,
  originalTransactionId: payment.chainKey,
  productType: typeOf(project, payment, held),
  accountToken: null,
  presentedContext: held?.presentedContext ?? payment.owner.presentedContext,
  observations: payment.observations,
})

/** A one-time product that the catalogue lacks grants and repeats nothing. */
const typeOf = ({ catalog }: ProjectState, payment: DecodedPayment, held: PurchaseRow | null): ProductType =>
  findStoreProduct(catalog, payment.storeProductId, PAYMENT)?.type ??
  held?.fold.productType ??
  (payment.isSubscription ? 'SUBSCRIPTION' : 'NON_CONSUMABLE')
