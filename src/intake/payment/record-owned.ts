import type { Tx } from '../../base/context'
import { reasonText } from '../../core/reason/reasons'
import type { EventCause } from '../../people/events/model'
import { listByChain } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedPayment } from '../../stores/payment/decode'
import { present } from '../recording/model'
import { recordChain } from '../recording/record-chain'
import { ERASED, idle, type Recording, recorded } from '../recording/recording'
import { adoptSales, tellAccess } from './adopt'
import { learnCustomer } from './customers'
import { PAYMENT } from './owner'
import { lockPaymentParties } from './parties'
import { toReport } from './report'

/**
 * Records a sale for its owner. What was an unlisted sale until now becomes the purchase to which the report adds. The
 * caller holds the lock of the chain.
 */
export async function recordOwned(
  tx: Tx,
  project: ProjectState,
  payment: DecodedPayment,
  cause: EventCause,
  buyer: SubscriberRow | null,
): Promise<Recording> {
  const { subscriber, purchases, sales } = await lockPaymentParties(tx, project.id, payment, buyer)
  // A purchase keeps the mode in which it was bought, even when the project sells in another mode now.
  if ([...purchases, ...sales].some(({ environment }) => environment !== payment.environment))
    return idle(reasonText('PURCHASE_OF_OTHER_MODE'))
  if (subscriber.erasedAt !== null || sales.some(({ erasedAt }) => erasedAt !== null)) return idle(ERASED)
  const wasUnlisted = sales.length > 0
  if (wasUnlisted) await adoptSales(tx, project, subscriber, sales, cause, { isTold: false })
  const held = wasUnlisted ? await listByChain(tx, project.id, PAYMENT, payment.chainKey) : purchases
  const rows = await recordChain(tx, project, present(subscriber), held, toReport(project, payment), cause)
  // A report without news tells nothing, so the access that the lines give now may be untold.
  if (wasUnlisted) await tellAccess(tx, project, subscriber, cause)
  const purchase = rows.find(({ productId }) => productId !== null) ?? rows[0]
  if (!purchase) return idle(reasonText('NOTHING_BOUGHT'))
  if (payment.customerId !== null) await learnCustomer(tx, subscriber, payment.customerId)
  return recorded(purchase)
}
