import type Stripe from 'stripe'
import { SECOND } from '../../base/lib/clock'
import { addPeriod } from '../../base/lib/period'
import { toInvoice, toInvoicePayment, toItem, toLine, toPrice, toSubscription } from './payment-billing-objects'
import { toCharge, toCustomer, toPaymentIntent } from './payment-money-objects'
import { getFrom, type PaymentWorld } from './payment-world'

export interface PriceOrder {
  id: string
  /** In the currency's smallest unit. */
  amount: number
  currency?: string
  /** Null for a one-time product. */
  interval: 'day' | 'week' | 'month' | 'year' | null
}

export function addPrice(world: PaymentWorld, { id, amount, currency = 'usd', interval }: PriceOrder): Stripe.Price {
  const price = toPrice({ id, created: world.now, currency, product: `prod_${id}`, unit_amount: amount, interval })
  world.prices.set(id, price)
  return price
}

export function addCustomer(world: PaymentWorld, metadata: Stripe.Metadata = {}): Stripe.Customer {
  const customer = toCustomer({ id: world.nextId('cus'), created: world.now, metadata })
  world.customers.set(customer.id, customer)
  return customer
}

/** A payment that succeeds now. */
export function charge(
  world: PaymentWorld,
  sale: { amount: number; currency: string; customer: string | null; metadata?: Stripe.Metadata },
): Stripe.PaymentIntent {
  const ids = { id: world.nextId('pi'), chargeId: world.nextId('ch') }
  const members = { metadata: {}, ...sale, ...ids, created: world.now }
  const intent = toPaymentIntent(members)
  world.intents.set(intent.id, intent)
  world.charges.set(ids.chargeId, toCharge(members))
  return intent
}

export interface SubscriptionOrder {
  priceId: string
  trialDays?: number
  customer?: string
  metadata?: Stripe.Metadata
}

/** A subscription. Its first invoice is paid at once; during a trial it is over zero. */
export function subscribe(world: PaymentWorld, order: SubscriptionOrder): Stripe.Subscription {
  const { now } = world
  const price = getFrom(world.prices, order.priceId)
  const trialEnd = order.trialDays ? now + order.trialDays * 86_400 : null
  const id = world.nextId('sub')
  const period = { current_period_start: now, current_period_end: trialEnd ?? periodEnd(price, now) }
  const subscription = toSubscription({
    id,
    created: now,
    currency: price.currency,
    customer: order.customer ?? addCustomer(world).id,
    item: toItem({ id: world.nextId('si'), subscription: id, price, created: now, ...period }),
    latest_invoice: null,
    metadata: order.metadata ?? {},
    status: trialEnd === null ? 'active' : 'trialing',
    trial_start: trialEnd === null ? null : now,
    trial_end: trialEnd,
  })
  world.subscriptions.set(id, subscription)
  const invoice = bill(world, subscription, 'subscription_create', [periodLine(world, subscription)])
  payInvoice(world, invoice)
  world.emit('customer.subscription.created', subscription)
  world.emit('invoice.paid', invoice)
  return subscription
}

export const itemOf = ({ items }: Stripe.Subscription): Stripe.SubscriptionItem => {
  const [item] = items.data
  if (!item) throw new RangeError('A subscription has an item')
  return item
}

/** The end of a period of this price that begins at `start`. */
export function periodEnd({ recurring }: Stripe.Price, start: number): number {
  const letter = { day: 'D', week: 'W', month: 'M', year: 'Y' }[String(recurring?.interval)]
  if (letter === undefined) throw new RangeError('A one-time price has no period')
  return Math.floor(addPeriod(start * SECOND, `P1${letter}`) / SECOND)
}

/** The line of the running period; it costs nothing during a trial. */
export function periodLine(world: PaymentWorld, subscription: Stripe.Subscription): Stripe.InvoiceLineItem {
  const { price, current_period_start: start, current_period_end: end } = itemOf(subscription)
  const isTrial = subscription.status === 'trialing'
  return lineOf(world, subscription, price, { amount: isTrial ? 0 : (price.unit_amount ?? 0), start, end })
}

export function lineOf(
  world: PaymentWorld,
  subscription: Stripe.Subscription,
  { id: priceId, currency }: Stripe.Price,
  sold: { amount: number; start: number; end: number; isProration?: boolean; credits?: string },
): Stripe.InvoiceLineItem {
  const { amount, start, end, isProration = false } = sold
  return toLine({
    id: world.nextId('il'),
    amount,
    currency,
    period: { start, end },
    subscription,
    priceId,
    isProration,
  })
}

/** Creates an open invoice, which becomes the subscription's newest one. */
export function bill(
  world: PaymentWorld,
  subscription: Stripe.Subscription,
  reason: Stripe.Invoice.BillingReason,
  lines: Stripe.InvoiceLineItem[],
): Stripe.Invoice {
  const members = { id: world.nextId('in'), created: world.now, billing_reason: reason, status: 'open' as const }
  const invoice = toInvoice({ ...members, subscription, lines })
  world.invoices.set(invoice.id, invoice)
  subscription.latest_invoice = invoice.id
  return invoice
}

/** Pays the amount that is due. An invoice over zero is paid without a payment. */
export function payInvoice(world: PaymentWorld, invoice: Stripe.Invoice): void {
  const { now } = world
  const { amount_due: amount, currency, customer } = invoice
  const paid = { status: 'paid', amount_paid: amount, amount_remaining: 0, attempted: true } as const
  Object.assign(invoice, { ...paid, status_transitions: { ...invoice.status_transitions, paid_at: now } })
  if (amount === 0) return
  const intent = charge(world, { amount, currency, customer: typeof customer === 'string' ? customer : null })
  const payment = toInvoicePayment(invoice, intent.id, now)
  world.invoicePayments.set(payment.id, payment)
  world.emit('payment_intent.succeeded', intent)
}
