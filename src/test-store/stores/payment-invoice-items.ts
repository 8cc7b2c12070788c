import type Stripe from 'stripe'
import { getFrom, type PaymentWorld, type WrittenItem } from './payment-world'

/** Creates the invoice item of a proration in classic billing, which names its item; other lines have none. */
export function addInvoiceItem(world: PaymentWorld, line: Stripe.InvoiceLineItem, subscriptionItem: string): void {
  const id = line.parent?.invoice_item_details?.invoice_item
  if (id === undefined) return
  const { id: subscription, customer } = getFrom(world.subscriptions, String(line.subscription))
  const details = { subscription, subscription_item: subscriptionItem }
  const customerId = typeof customer === 'string' ? customer : customer.id
  world.invoiceItems.set(id, toInvoiceItem({ id, line, customer: customerId, details, date: world.now }))
}

/** The invoice items of the lines belong to the invoice from now on. */
export function attachInvoiceItems(world: PaymentWorld, { id, lines }: Stripe.Invoice): void {
  for (const { parent } of lines.data) {
    const item = world.invoiceItems.get(parent?.invoice_item_details?.invoice_item ?? '')
    if (item) item.invoice = id
  }
}

interface Members extends Pick<Stripe.InvoiceItem, 'id' | 'date'> {
  line: Stripe.InvoiceLineItem
  customer: string
  details: Stripe.InvoiceItem.Parent.SubscriptionDetails
}

const toInvoiceItem = ({ line, details, ...members }: Members): WrittenItem =>
  ({
    ...members,
    object: 'invoiceitem',
    amount: line.amount,
    currency: line.currency,
    customer_account: null,
    description: null,
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: line.livemode,
    metadata: {},
    parent: { type: 'subscription_details', subscription_details: details },
    period: line.period,
    pricing: line.pricing,
    proration: true,
    quantity: line.quantity ?? 1,
    quantity_decimal: String(line.quantity ?? 1),
    tax_rates: [],
    test_clock: null,
  }) satisfies WrittenItem
