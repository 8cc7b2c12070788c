import type { Tx } from '../../base/context'
import { listByChain } from '../../people/purchases/queries'
import { listSalesOfChain, type UnlistedSaleRow } from '../../people/purchases/unlisted-sales'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { DecodedPayment } from '../../stores/payment/decode'
import { lockRead, type Parties } from '../receipts/parties'
import { ownerOf, readAgain } from '../recording/held'
import { buyerOf, PAYMENT } from './owner'

/** Who owns a sale, or will own it, under their lock; and its lines that are recorded, as purchases or as unlisted sales. */
export async function lockPaymentParties(
  tx: Tx,
  projectId: string,
  payment: DecodedPayment,
  buyer: SubscriberRow | null,
): Promise<Parties & { sales: UnlistedSaleRow[] }> {
  const parties = await lockRead(tx, () => readParties(tx, projectId, payment, buyer))
  const isHeld = parties.purchases.length > 0
  return { ...parties, sales: isHeld ? [] : await listSalesOfChain(tx, projectId, PAYMENT, payment.chainKey) }
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
