import { Value } from '@sinclair/typebox/value'
import type { Money } from '../../base/lib/money'
import type { Marker, Observation } from '../observation'
import { orderIdOf } from './order'
import type { OrderRefunds } from './order-history'
import { VoidedResource } from './resource'
import { firstProblem, type Malformed, malformed, millisOf, textOf } from './values'

/**
 * The marker for the refund of a whole order. An order can be voided once. So the notification, the list of voided
 * purchases and our own refund all give the same marker, and only the first one counts.
 */
export const refundMarker = (transactionId: string, eventAt: number, isChargeback = false): Marker => ({
  kind: 'REFUND',
  id: `refund:${transactionId}`,
  eventAt,
  transactionId,
  amount: null,
  ...(isChargeback ? { isChargeback } : {}),
})

/**
 * The marker for an order whose access was removed. Without more it returns the price. Where the order says that parts of
 * the price were returned (a prorated refund), these have markers of their own, and the revocation returns nothing more.
 */
export function revocationMarker(transactionId: string, eventAt: number, refunds: OrderRefunds | null = null): Marker {
  const part = refunds?.whole ? undefined : refunds?.parts[0]
  const amount = part ? { ...part.amount, amountMicros: 0 } : null
  return { kind: 'REVOCATION', id: `revocation:${transactionId}`, eventAt, transactionId, amount }
}

/** How many units of an order were refunded before, how many are refunded now, and how many it has. */
export interface RefundedUnits {
  from: number
  to: number
  of: number
}

/**
 * The marker for the refund of some units: their share of the price, cut to whole micros over all refunds together (3
 * of 7 units of 10 micros: 4). None when no unit is new, or when the price is unknown: a marker without an amount would
 * count as the whole order.
 */
export function partialRefundMarker(
  transactionId: string,
  eventAt: number,
  { from, to, of }: RefundedUnits,
  price: Money | null,
): Marker[] {
  if (to <= from || !price) return []
  const share = (units: number) => Number((BigInt(price.amountMicros) * BigInt(units)) / BigInt(of))
  const amount = { amountMicros: share(to) - share(from), currency: price.currency }
  return [{ kind: 'REFUND', id: `refund:${transactionId}#${to}`, eventAt, transactionId, amount }]
}

/** How many units of an order the stored markers have refunded. */
export function refundedUnits(known: readonly Observation[], transactionId: string): number {
  const prefix = `refund:${transactionId}#`
  const counts = known.filter(({ id }) => id.startsWith(prefix)).map(({ id }) => Number(id.slice(prefix.length)))
  return Math.max(0, ...counts)
}

/** A row of `purchases.voidedpurchases`. */
export type VoidedResult =
  | { ok: true; purchaseToken: string; marker: Marker }
  /** Only some units were refunded. How many in all is read from the purchase itself. */
  | { ok: true; purchaseToken: string; partlyRefundedAt: number }
  | Malformed

export function decodeVoided(row: unknown): VoidedResult {
  if (!Value.Check(VoidedResource, row)) return malformed(firstProblem(VoidedResource, row))
  const { purchaseToken } = row
  const voidedAt = millisOf(row.voidedTimeMillis)
  if (voidedAt === null) return malformed('voidedTimeMillis')
  if (row.voidedQuantity) return { ok: true, purchaseToken, partlyRefundedAt: voidedAt }
  const transactionId = orderIdOf(textOf(row.orderId), purchaseToken)
  return { ok: true, purchaseToken, marker: refundMarker(transactionId, voidedAt, row.voidedReason === CHARGEBACK) }
}

const CHARGEBACK = 7
