import { Value } from '@sinclair/typebox/value'
import type { Money } from '../../base/lib/money'
import type { Marker, Observation } from '../observation'
import { orderIdOf } from './order'
import { VoidedResource } from './resource'
import { firstProblem, type Malformed, malformed, millisOf, textOf } from './values'

/**
 * All of an order was given back. An order can be voided once, so the notification, the list of voided purchases and
 * our own refund tell the same marker, and only the first of them counts.
 */
export const refundMarker = (transactionId: string, eventAt: number, isChargeback = false): Marker => ({
  kind: 'REFUND',
  id: `refund:${transactionId}`,
  eventAt,
  transactionId,
  amount: null,
  ...(isChargeback ? { isChargeback } : {}),
})

/** The rights to an order were taken away. */
export const revocationMarker = (transactionId: string, eventAt: number): Marker => ({
  kind: 'REVOCATION',
  id: `revocation:${transactionId}`,
  eventAt,
  transactionId,
  amount: null,
})

/** Units of an order refunded before and now, out of all. */
export interface RefundedUnits {
  from: number
  to: number
  of: number
}

/**
 * Some units of an order were given back: their share of the price, cut to whole micros over all refunds together (3 of
 * 7 units of 10 micros: 4). None when no unit is new, or when the price is unknown: a marker without an amount would
 * read as all of the order.
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

/** How many units of an order the markers kept so far have given back. */
export function refundedUnits(known: readonly Observation[], transactionId: string): number {
  const prefix = `refund:${transactionId}#`
  const told = known.filter(({ id }) => id.startsWith(prefix)).map(({ id }) => Number(id.slice(prefix.length)))
  return Math.max(0, ...told)
}

/** A row of `purchases.voidedpurchases`. */
export type VoidedResult =
  | { ok: true; purchaseToken: string; marker: Marker }
  /** Some units only: how many in all tells the purchase itself. */
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
