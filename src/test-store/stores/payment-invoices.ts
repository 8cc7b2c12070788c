import type Stripe from 'stripe'
import { addCustomer, payInvoice, settleInvoice } from './payment-billing'
import { toInvoice, toLine } from './payment-billing-objects'
import { getFrom, type PaymentWorld } from './payment-world'

/** One-time products on an invoice of no subscription. */
export interface BillOrder {
  prices: readonly string[]
  customer?: string
  metadata?: Stripe.Metadata
}

/** An invoice that the seller makes, and that the customer has not paid yet. */
export function billOnce(world: PaymentWorld, { prices, customer, metadata = {} }: BillOrder): Stripe.Invoice {
  const lines = prices.map((id) => lineOf(world, getFrom(world.prices, id)))
  const currency = lines[0]?.currency ?? 'usd'
  const sold = { ...{ id: '', currency, livemode: false, metadata }, customer: customer ?? addCustomer(world).id }
  const members = { id: world.nextId('in'), created: world.now, billing_reason: 'manual', status: 'open' } as const
  const invoice = { ...toInvoice({ ...members, subscription: sold, lines }), metadata, parent: null }
  world.invoices.set(invoice.id, invoice)
  return invoice
}

export function payBill(world: PaymentWorld, invoice: Stripe.Invoice): void {
  payInvoice(world, invoice)
  world.emit('invoice.paid', invoice)
}

/** The invoice of a checkout, paid by the payment of the checkout. */
export function billCheckout(world: PaymentWorld, order: BillOrder, intentId: string): Stripe.Invoice {
  const invoice = billOnce(world, order)
  settleInvoice(world, invoice, intentId)
  return invoice
}

function lineOf(world: PaymentWorld, { id: priceId, unit_amount, currency }: Stripe.Price): Stripe.InvoiceLineItem {
  const id = world.nextId('il')
  const subscription = { ...{ id: '', customer: '', currency, livemode: false }, metadata: {} }
  const members = { id, currency, subscription, priceId, amount: unit_amount ?? 0, quantity: 1, item: '' }
  const line = toLine({ ...members, period: { start: world.now, end: world.now }, isProration: false })
  const details = { invoice_item: `ii_${id}`, proration: false, proration_details: null, subscription: null }
  const parent = {
    type: 'invoice_item_details',
    invoice_item_details: details,
    subscription_item_details: null,
  } as const
  return { ...line, parent, subscription: null }
}
