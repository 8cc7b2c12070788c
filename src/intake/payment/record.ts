import type { Tx } from '../../base/context'
import { reasonText } from '../../core/reason/reasons'
import type { EventCause } from '../../people/events/model'
import { findByChain } from '../../people/purchases/queries'
import { listSalesOfChain, toUnownedPurchase } from '../../people/purchases/unlisted-sales'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedPayment } from '../../stores/payment/decode'
import { planReports } from '../recording/record-chain'
import { ERASED, idle, type Recording } from '../recording/recording'
import { isListed } from './listed'
import { isErasedBuyer, isSoldElsewhere, lockPayment, PAYMENT } from './owner'
import { recordOwned } from './record-owned'
import { environmentOf, toReport } from './report'
import { recordUnlistedLine } from './unlisted-line'

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
  if (payment.environment !== environmentOf(project, payment.chainKey)) return idle(reasonText('UNSOLD_MODE'))
  await lockPayment(tx, project.id, payment.chainKey)
  if (await isSoldElsewhere(tx, project.id, payment)) return idle(reasonText('OTHER_PROJECT'))
  if (await isUnlisted(tx, project, payment, buyer)) return recordUnlisted(tx, project, payment, cause)
  if (payment.lines.every(({ storeProductId }) => storeProductId === '')) return idle(reasonText('NO_PRICE'))
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

/**
 * Keeps a sale without any product of the catalogue. It makes no subscriber and no event, and gives nothing. The caller
 * holds the lock of its chain, and no purchase of the chain is recorded.
 */
async function recordUnlisted(
  tx: Tx,
  project: ProjectState,
  payment: DecodedPayment,
  cause: EventCause,
): Promise<Recording> {
  const held = await listSalesOfChain(tx, project.id, PAYMENT, payment.chainKey)
  if (held.some(({ environment }) => environment !== payment.environment)) return idle(reasonText('SALE_OF_OTHER_MODE'))
  if (held.some(({ erasedAt }) => erasedAt !== null)) return idle(ERASED)
  if (await isErasedBuyer(tx, project.id, payment)) return idle(ERASED)
  for (const line of await planReports(tx, held.map(toUnownedPurchase), toReport(project, payment)))
    await recordUnlistedLine(tx, project, payment, line, cause)
  return idle(reasonText('UNLISTED_SALE'))
}
