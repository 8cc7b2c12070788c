import { divide } from '../../base/lib/divide'
import type { Money } from '../../base/lib/money'
import type { Marker } from '../observation'
import type { OrderRefunds, PartialRefund } from './order-history'
import { refundMarker } from './voided'

/** An order as far as it decides whom a refund concerns. */
interface Refunded {
  orderId: string
  /** What each product of the order cost, by Google's product id; null when the order does not say. */
  totals: ReadonlyMap<string, Money | null>
  refunds: OrderRefunds
  /** The products of the order that the purchase lost before the end of their paid period. */
  lost: ReadonlySet<string>
}

/**
 * The markers of each product of an order. A refund of the whole order concerns each of them. Google's answers do not name
 * the item of a partial refund: `itemBasedRefund` is a part of the request that makes it. What they say is that the
 * purchase has lost the item and that its exact total was returned; then the refund concerns that item alone. Any other
 * one is divided in proportion to what the products cost.
 */
export function refundsByProduct({ orderId, totals, refunds, lost }: Refunded): Map<string, Marker[]> {
  const markers = new Map<string, Marker[]>([...totals.keys()].map((product) => [product, []]))
  for (const part of refunds.parts)
    for (const [product, amountMicros] of sharesOf(part.amount, totals, lost))
      if (amountMicros > 0) markers.get(product)?.push(partMarker(orderId, part, amountMicros))
  const { whole } = refunds
  if (whole) for (const own of markers.values()) own.push(refundMarker(orderId, whole.at, whole.isChargeback))
  return markers
}

const partMarker = (transactionId: string, { name, at, amount }: PartialRefund, amountMicros: number): Marker => ({
  kind: 'REFUND',
  id: `refund:${transactionId}~${name}`,
  eventAt: at,
  transactionId,
  amount: { ...amount, amountMicros },
})

/** Nothing when the order does not say what each of several products cost. */
function sharesOf(
  amount: Money,
  totals: Refunded['totals'],
  lost: Refunded['lost'],
): [product: string, micros: number][] {
  const products = [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const [only] = products
  if (only && products.length === 1) return [[only[0], amount.amountMicros]]
  const costs = products.map(([, total]) => (total?.currency === amount.currency ? total.amountMicros : null))
  if (costs.some((cost) => cost === null)) return []
  const returned = products.filter(([product], index) => lost.has(product) && costs[index] === amount.amountMicros)
  const [item] = returned
  if (item && returned.length === 1) return [[item[0], amount.amountMicros]]
  const shares = divide(
    amount.amountMicros,
    costs.map((cost) => cost ?? 0),
  )
  return products.map(([product], index) => [product, shares[index] ?? 0])
}
