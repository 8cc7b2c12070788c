import type { AndroidSubscription } from '../../stores/android/decode'
import { refundsByProduct } from '../../stores/android/order-refunds'
import type { PaidOrder } from '../../stores/android/paid-order'
import type { Marker } from '../../stores/observation'

export type { PaidOrder }

/** What an order states about its refunds, by Google's id of the product that they concern. */
export interface LookRefunds {
  orderId: string
  markers: ReadonlyMap<string, readonly Marker[]>
}

/** A charge that is recorded of a line of the purchase, and until when it pays. */
export interface RecordedCharge {
  productId: string
  orderId: string
  paidUntil: number | null
}

/** Orders that were read, by their id, without those that Google does not tell. */
export type PaidOrders = ReadonlyMap<string, PaidOrder>

/** The recorded charges whose item the purchase has lost before the end of what was paid, while it continues. */
export function lostCharges(
  charges: readonly RecordedCharge[],
  { items }: AndroidSubscription,
  at: number,
): RecordedCharge[] {
  return charges.filter(({ productId, paidUntil }) => {
    if (paidUntil === null || paidUntil <= at) return false
    const own = items.filter(({ storeProductId }) => storeProductId === productId)
    return own.every(({ expiresAt }) => expiresAt <= at)
  })
}

/** The products of an order that the purchase has lost while others of the order continue. */
type LostOf = (orderId: string, products: readonly string[]) => readonly string[]

export const lostOf =
  ({ items }: AndroidSubscription, at: number): LostOf =>
  (orderId, products) => {
    const running = items.filter(({ expiresAt }) => expiresAt > at)
    if (!running.some((item) => item.orderId === orderId)) return []
    return products.filter((productId) => running.every(({ storeProductId }) => storeProductId !== productId))
  }

/** `units`: refunds of units are known by the purchase itself, so parts of its order are not counted as well. */
export function refundsOf(orders: PaidOrders, lostOf: LostOf, units = false): LookRefunds[] {
  return [...orders].flatMap(([orderId, { products, refunds }]) => {
    const told = units ? { ...refunds, parts: [] } : refunds
    if (!told.whole && told.parts.length === 0) return []
    const totals = new Map([...products].map(([productId, { total }]) => [productId, total]))
    const lost = new Set(lostOf(orderId, [...products.keys()]))
    return [{ orderId, markers: refundsByProduct({ orderId, totals, refunds: told, lost }) }]
  })
}

/** When a part of the order was returned last; null when none was. */
export const lastPartAt = (order: PaidOrder | null): number | null =>
  order?.refunds.parts.reduce<number | null>((last, { at }) => Math.max(last ?? at, at), null) ?? null
