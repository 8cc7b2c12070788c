import type Stripe from 'stripe'
import { SECOND } from '../../base/lib/clock'
import { addPeriod } from '../../base/lib/period'
import { toInvoice, toInvoicePayment, toItem, toLine, toPrice, toSubscription } from './payment-billing-objects'
import { addInvoiceItem, attachInvoiceItems } from './payment-invoice-items'
import { toCharge, toCustomer, toPaymentIntent } from './payment-money-objects'
import { getFrom, type PaymentWorld } from './payment-world'

export interface PriceOrder {
  id: string
  /** In the currency's smallest unit. */
  amount: number
  currency?: string
  /** Null for a one-time product. */
  interval: 'day' | 'week' | 'month' | 'year' | null
  /** Absent = one. */
  count?: number
}

export function addPrice(
  world: PaymentWorld,
  { id, amount, currency = 'usd', interval, count = 1 }: PriceOrder,
): Stripe.Price {
  const members = { id, created: world.now, currency, product: `prod_${id}`, unit_amount: amount }
  const price = toPrice({ ...members, interval, intervalCount: count })
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
  /** Prices that it has besides the first one. */
  others?: readonly string[]
  /** Whether it has the flexible billing mode, in which prorations name their item. */
  isFlexible?: boolean
}

/** A subscription. Its first invoice is paid at once; during a trial it is over zero. */
export function subscribe(world: PaymentWorld, order: SubscriptionOrder): Stripe.Subscription {
  const { now } = world
  const price = getFrom(world.prices, order.priceId)
  const trialEnd = order.trialDays ? now + order.trialDays * 86_400 : null
  const id = world.nextId('sub')
  const period = { current_period_start: now, current_period_end: trialEnd ?? periodEnd(price, now) }
  const items = [order.priceId, ...(order.others ?? [])].map((one) =>
    toItem({ id: world.nextId('si'), subscription: id, price: getFrom(world.prices, one), created: now, ...period }),
  )
  const subscription = toSubscription({
    id,
    created: now,
    currency: price.currency,
    customer: order.customer ?? addCustomer(world).id,
    items,
    latest_invoice: null,
    metadata: order.metadata ?? {},
    status: trialEnd === null ? 'active' : 'trialing',
    trial_start: trialEnd === null ? null : now,
    trial_end: trialEnd,
  })
  if (order.isFlexible) subscription.billing_mode = { flexible: { proration_discounts: 'itemized' }, type: 'flexible' }
  world.subscriptions.set(id, subscription)
  const invoice = bill(world, subscription, 'subscription_create', periodLines(world, subscription))
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

/** The end of a period of this price that starts at `start`. */
export function periodEnd({ recurring }: Stripe.Price, start: number): number {
  const letter = { day: 'D', week: 'W', month: 'M', year: 'Y' }[String(recurring?.interval)]
  if (letter === undefined) throw new RangeError('A one-time price has no period')
  return Math.floor(addPeriod(start * SECOND, `P${recurring?.interval_count ?? 1}${letter}`) / SECOND)
}

/** The lines of the running period, one for each item; they cost nothing during a trial. */
export const periodLines = (world: PaymentWorld, subscription: Stripe.Subscription): Stripe.InvoiceLineItem[] =>
  subscription.items.data.map(({ id, price, quantity = 1, current_period_start: start, current_period_end: end }) => {
    const amount = subscription.status === 'trialing' ? 0 : (price.unit_amount ?? 0) * quantity
    return lineOf(world, subscription, price, { amount, start, end, item: id, quantity })
  })

export function lineOf(
  world: PaymentWorld,
  subscription: Stripe.Subscription,
  { id: priceId, currency }: Stripe.Price,
  sold: LineOrder,
): Stripe.InvoiceLineItem {
  const { amount, start, end, isProration = false, quantity = 1, credits } = sold
  const item = sold.item ?? itemOf(subscription).id
  const line = toLine({
    id: world.nextId('il'),
    amount,
    currency,
    period: { start, end },
    subscription,
    priceId,
    isProration,
    item,
    quantity,
    ...(credits !== undefined && { credits }),
  })
  addInvoiceItem(world, line, item)
  return line
}

interface LineOrder {
  amount: number
  start: number
  end: number
  isProration?: boolean
  credits?: string
  /** The id of the item; absent = the first one. */
  item?: string
  quantity?: number
}

/** Creates an open invoice, which becomes the subscription's newest one. */
export function bill(
  world: PaymentWorld,
  subscription: Stripe.Subscription,
  reason: Stripe.Invoice.BillingReason,
  lines: Stripe.InvoiceLineItem[],
): Stripe.Invoice {
  const members = { id: world.nextId('in'), created: world.now, billing_reason: reason, status: 'open' as const }
  const invoice = withBalance(world, toInvoice({ ...members, subscription, lines }))
  world.invoices.set(invoice.id, invoice)
  attachInvoiceItems(world, invoice)
  subscription.latest_invoice = invoice.id
  return invoice
}

/** A credit of the customer pays first, and what it paid is not due. */
function withBalance(world: PaymentWorld, invoice: Stripe.Invoice): Stripe.Invoice {
  const customer = world.customers.get(String(invoice.customer))
  const credit = Math.min(invoice.amount_due, Math.max(0, -(customer?.balance ?? 0)))
  if (!customer || credit === 0) return invoice
  const starting_balance = customer.balance
  customer.balance += credit
  const due = invoice.amount_due - credit
  return { ...invoice, starting_balance, ending_balance: customer.balance, amount_due: due, amount_remaining: due }
}

/** Pays the amount that is due. An invoice over zero is paid without a payment. */
export function payInvoice(world: PaymentWorld, invoice: Stripe.Invoice): void {
  const { amount_due: amount, currency, customer } = invoice
  const of = { amount, currency, customer: typeof customer === 'string' ? customer : null }
  const intent = amount === 0 ? null : charge(world, of)
  settleInvoice(world, invoice, intent?.id ?? null)
  if (intent) world.emit('payment_intent.succeeded', intent)
}

/** Marks an invoice as paid by a payment; null = none was needed. */
export function settleInvoice(world: PaymentWorld, invoice: Stripe.Invoice, intentId: string | null): void {
  const { now } = world
  const paid = { status: 'paid', amount_paid: invoice.amount_due, amount_remaining: 0, attempted: true } as const
  Object.assign(invoice, { ...paid, status_transitions: { ...invoice.status_transitions, paid_at: now } })
  if (intentId === null) return
  const payment = toInvoicePayment(invoice, intentId, now)
  world.invoicePayments.set(payment.id, payment)
}
