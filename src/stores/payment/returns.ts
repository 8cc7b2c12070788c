import type { Marker } from '../observation'
import { fromSmallestUnit } from './currency'
import { type Charge, type Dispute, type Refund, toInstant } from './shapes'

/** A charge, and the transaction that it paid. */
export interface PaidCharge {
  charge: Charge
  transactionId: string
  /** Whether the charge paid the whole transaction. */
  isWhole: boolean
  /** When the provider reported the refund or dispute. */
  eventAt: number
}

/**
 * One marker for each refund, with the refund's id and date, so our own refund and the provider's event about it give
 * the same marker. If all of a charge was refunded in parts, the markers together return all of it. If the provider
 * lists fewer refunds than it counts, one more marker says that all was refunded. That marker takes the date of the
 * newest refund and is never reversed, for a failure of a refund in it cannot be seen.
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

/**
 * Refunds that wait for the customer or were cancelled do not count. A failed one counts, for it was reported as a
 * refund before.
 */
const MOVED = ['succeeded', 'pending', 'failed']

function partMarkers({ id, status, amount, currency, created }: Refund, transactionId: string): Marker[] {
  const money = fromSmallestUnit(amount, currency)
  if (!money) return [] // A marker without an amount would count as the whole charge.
  const eventAt = toInstant(created)
  const refund: Marker = { kind: 'REFUND', id: `refund:${id}`, eventAt, transactionId, amount: money }
  // The money came back to the seller. The provider gives no date for that, so the reversal follows right after the
  // refund.
  const back: Marker = { ...refund, kind: 'REVERSAL', id: `reversal:${id}`, eventAt: eventAt + 1 }
  return status === 'failed' ? [refund, back] : [refund]
}

/**
 * A lost dispute takes the money. A won one returns what an earlier loss took. Inquiries and prevented disputes change
 * nothing. `dispute` is the state in which it was closed at `eventAt`.
 */
export function disputeMarkers(paid: PaidCharge, dispute: Dispute, refunds: readonly Refund[]): Marker[] {
  const { transactionId, eventAt } = paid
  const refunded = refundedBefore(refunds, eventAt)
  const marker = { eventAt, transactionId, amount: disputedAmount(paid, dispute, refunded) }
  const id = `${dispute.id}@${eventAt}`
  if (dispute.status === 'lost') return [{ ...marker, kind: 'REFUND', id: `chargeback:${id}`, isChargeback: true }]
  // A refund that the seller made must not be undone.
  const isReversible = dispute.status === 'won' && refunded === 0
  return isReversible ? [{ ...marker, kind: 'REVERSAL', id: `reversal:${id}` }] : []
}

/**
 * Decided by the dates of the refunds, for the charge may have been fetched later. Refunds of the same second count as
 * later.
 */
const refundedBefore = (refunds: readonly Refund[], at: number): number =>
  refunds
    .filter((refund) => isKept(refund) && toInstant(refund.created) < at)
    .reduce((sum, { amount }) => sum + amount, 0)

const isKept = ({ status }: Refund): boolean => KEPT.includes(status ?? 'succeeded')

const KEPT = ['succeeded', 'pending']

/** Null = all that remains of the charge. An amount in another currency does not show the share. */
function disputedAmount({ charge, isWhole }: PaidCharge, dispute: Dispute, refunded: number): Marker['amount'] {
  const left = Math.max(0, charge.amount - refunded)
  const isAll = dispute.currency.toUpperCase() !== charge.currency.toUpperCase() || dispute.amount >= left
  return isAll && isWhole ? null : fromSmallestUnit(isAll ? left : dispute.amount, charge.currency)
}
