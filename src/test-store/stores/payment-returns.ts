import type Stripe from 'stripe'
import { toDispute, toRefund } from './payment-money-objects'
import { getFrom, type PaymentWorld } from './payment-world'

/** Refunds `amount` of a charge, or all that remains of it. */
export function refundCharge(world: PaymentWorld, chargeId: string, amount: number | null = null): Stripe.Refund {
  const charge = getFrom(world.charges, chargeId)
  const left = charge.amount - charge.amount_refunded
  const refund = toRefund({
    id: world.nextId('re'),
    amount: Math.min(amount ?? left, left),
    created: world.now,
    status: 'succeeded',
    charge,
  })
  world.refunds.set(refund.id, refund)
  charge.amount_refunded += refund.amount
  charge.refunded = charge.amount_refunded === charge.amount
  world.emit('charge.refunded', charge)
  return refund
}

/** Makes a refund fail: the bank returns its money. */
export function failRefund(world: PaymentWorld, refundId: string): void {
  const refund = getFrom(world.refunds, refundId)
  const charge = getFrom(world.charges, typeof refund.charge === 'string' ? refund.charge : '')
  refund.status = 'failed'
  charge.amount_refunded -= refund.amount
  charge.refunded = false
  world.emit('refund.failed', refund)
}

export function openDispute(world: PaymentWorld, chargeId: string, amount: number | null = null): Stripe.Dispute {
  const charge = getFrom(world.charges, chargeId)
  const dispute = toDispute({ id: world.nextId('dp'), amount: amount ?? charge.amount, created: world.now, charge })
  world.disputes.set(dispute.id, dispute)
  charge.disputed = true
  world.emit('charge.dispute.created', dispute)
  return dispute
}

export function closeDispute(world: PaymentWorld, disputeId: string, status: Stripe.Dispute.Status): void {
  const dispute = getFrom(world.disputes, disputeId)
  dispute.status = status
  world.emit('charge.dispute.closed', dispute)
}

/** The charge that paid an invoice. */
export function chargeOfInvoice(world: PaymentWorld, invoiceId: string): string {
  const payment = [...world.invoicePayments.values()].find(({ invoice }) => invoice === invoiceId)?.payment
  return chargeOfIntent(world, typeof payment?.payment_intent === 'string' ? payment.payment_intent : '')
}

export function chargeOfIntent(world: PaymentWorld, intentId: string): string {
  const { latest_charge } = getFrom(world.intents, intentId)
  return typeof latest_charge === 'string' ? latest_charge : ''
}
