import type { Marker } from '../observation'
import { fromSmallestUnit } from './currency'
import { type Charge, type Dispute, type Refund, toInstant } from './shapes'

/** A charge, and the transaction that it paid for. */
export interface PaidCharge {
  charge: Charge
  transactionId: string
  /** Whether it paid all of the transaction. */
  isWhole: boolean
  /** When the provider told of what was given back. */
  eventAt: number
}

/**
 * A marker for each refund, dated and named by it, so that our own refund and the provider's event of it are one. Those
 * of a charge that was given back in parts come to all of it together; only where the provider lists fewer refunds than
 * it counts does one more marker say so. It has no date of its own and no end, for a refund in it that fails is not seen.
 */
export function refundMarkers(paid: PaidCharge, refunds: readonly Refund[]): Marker[] {
  const { charge, isWhole, transactionId, eventAt } = paid
  const moved = refunds.filter(({ status }) => MOVED.includes(status ?? 'succeeded'))
  const parts = moved.flatMap((refund) => partMarkers(refund, transactionId))
  const listed = refunds.filter(isKept).reduce((sum, { amount }) => sum + amount, 0)
  if (!charge.refunded || !isWhole || listed >= charge.amount) return parts
  const at = moved.length === 0 ? eventAt : Math.max(...moved.map(({ created }) => toInstant(created)))
  return [...parts, { kind: 'REFUND', id: `refund:whole:${charge.id}`, eventAt: at, transactionId, amount: null }]
}

/** Not one that waits for the customer or was called off; one that failed had been told as a refund before. */
const MOVED = ['succeeded', 'pending', 'failed']

function partMarkers({ id, status, amount, currency, created }: Refund, transactionId: string): Marker[] {
  const money = fromSmallestUnit(amount, currency)
  if (!money) return [] // Without an amount it would read as all of the charge.
  const eventAt = toInstant(created)
  const refund: Marker = { kind: 'REFUND', id: `refund:${id}`, eventAt, transactionId, amount: money }
  // The money came back to the seller. The provider does not date that: it is told right behind the refund.
  const back: Marker = { ...refund, kind: 'REVERSAL', id: `reversal:${id}`, eventAt: eventAt + 1 }
  return status === 'failed' ? [refund, back] : [refund]
}

/**
 * A dispute that was lost took the money; one that was won gives back what an earlier loss took. Inquiries and
 * prevented disputes move nothing. `dispute` is as it was closed at `eventAt`.
 */
export function disputeMarkers(paid: PaidCharge, dispute: Dispute, refunds: readonly Refund[]): Marker[] {
  const { transactionId, eventAt } = paid
  const refunded = refundedBefore(refunds, eventAt)
  const marker = { eventAt, transactionId, amount: disputedAmount(paid, dispute, refunded) }
  const id = `${dispute.id}@${eventAt}`
  if (dispute.status === 'lost') return [{ ...marker, kind: 'REFUND', id: `chargeback:${id}`, isChargeback: true }]
  // What the seller gave back of its own accord must stay given back.
  const isReversible = dispute.status === 'won' && refunded === 0
  return isReversible ? [{ ...marker, kind: 'REVERSAL', id: `reversal:${id}` }] : []
}

/** By their dates and not by the charge, which may have been fetched later; those of the same second come after. */
const refundedBefore = (refunds: readonly Refund[], at: number): number =>
  refunds
    .filter((refund) => isKept(refund) && toInstant(refund.created) < at)
    .reduce((sum, { amount }) => sum + amount, 0)

const isKept = ({ status }: Refund): boolean => KEPT.includes(status ?? 'succeeded')

const KEPT = ['succeeded', 'pending']

/** Null = all that is left of the charge. In another currency the amount says nothing of the share. */
function disputedAmount({ charge, isWhole }: PaidCharge, dispute: Dispute, refunded: number): Marker['amount'] {
  const left = Math.max(0, charge.amount - refunded)
  const isAll = dispute.currency.toUpperCase() !== charge.currency.toUpperCase() || dispute.amount >= left
  return isAll && isWhole ? null : fromSmallestUnit(isAll ? left : dispute.amount, charge.currency)
}
