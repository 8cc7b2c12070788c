import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { findByChain } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedPayment } from '../../stores/payment/decode'
import { idle, type Recording } from '../recording/recording'
import { isListed } from './listed'
import { isSoldElsewhere, lockPayment, PAYMENT } from './owner'
import { recordOwned } from './record-owned'
import { environmentOf } from './report'
import { recordUnlisted } from './unlisted'

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
  return recordOwned(tx, project, payment, cause, buyer)
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
