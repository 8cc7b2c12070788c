import type Stripe from 'stripe'
import { bill, periodEnd, periodLines, settleInvoice } from './payment-billing'
import { toInvoicePayment, toItem, toSubscription } from './payment-billing-objects'
import { toSetupIntent } from './payment-intent-objects'
import { toCharge, toPaymentIntent } from './payment-money-objects'
import { endNow, newestInvoice } from './payment-turns'
import { getFrom, type PaymentWorld } from './payment-world'

// Sales that the seller's own page collects the payment for, with the provider's script.

export interface OpenSale {
  customer: string
  priceId: string
  metadata: Stripe.Metadata
  trialDays: number
  /** What a promotion code takes off, in per cent. */
  percentOff?: number
}

/**
 * A subscription whose first payment is still to come. Where nothing is due now, it runs already, and waits for a payment
 * method.
 */
export function openSubscription(world: PaymentWorld, sale: OpenSale): Stripe.Subscription {
  const { now } = world
  const { customer, priceId, metadata, trialDays, percentOff = 0 } = sale
  const price = getFrom(world.prices, priceId)
  const trialEnd = trialDays > 0 ? now + trialDays * 86_400 : null
  const id = world.nextId('sub')
  const period = { current_period_start: now, current_period_end: trialEnd ?? periodEnd(price, now) }
  const item = toItem({ id: world.nextId('si'), subscription: id, price, created: now, ...period })
  const subscription = toSubscription({
    ...{ id, customer, metadata, created: now, currency: price.currency, items: [item], latest_invoice: null },
    status: trialEnd === null ? 'incomplete' : 'trialing',
    trial_start: trialEnd === null ? null : now,
    trial_end: trialEnd,
  })
  world.subscriptions.set(id, subscription)
  const lines = periodLines(world, subscription).map((line) => reduced(line, percentOff))
  const invoice = bill(world, subscription, 'subscription_create', lines)
  if (invoice.amount_due > 0) openInvoice(world, invoice, customer)
  else waitForMethod(world, subscription, invoice)
  world.emit('customer.subscription.created', subscription)
  if (invoice.status === 'paid') world.emit('invoice.paid', invoice)
  return subscription
}

const reduced = (line: Stripe.InvoiceLineItem, percentOff: number): Stripe.InvoiceLineItem => {
  const amount = Math.round((line.amount * (100 - percentOff)) / 100)
  return { ...line, amount, subtotal: amount }
}

/** The invoice gets an intent, whose secret the page pays with. */
function openInvoice(world: PaymentWorld, invoice: Stripe.Invoice, customer: string): void {
  const { amount_due: amount, currency } = invoice
  const intent = openPayment(world, { amount, currency, customer, metadata: {} })
  invoice.confirmation_secret = { client_secret: intent.client_secret ?? '', type: 'payment_intent' }
  const payment = { ...toInvoicePayment(invoice, intent.id, world.now), status: 'open', amount_paid: 0 }
  world.invoicePayments.set(payment.id, payment)
}

function waitForMethod(world: PaymentWorld, subscription: Stripe.Subscription, invoice: Stripe.Invoice): void {
  if (subscription.status === 'incomplete') subscription.status = 'active'
  settleInvoice(world, invoice, null)
  const members = { customer: String(subscription.customer), metadata: {}, created: world.now }
  const setup = toSetupIntent({ ...members, id: world.nextId('seti') })
  world.setups.set(setup.id, setup)
  subscription.pending_setup_intent = setup.id
}

export interface OpenPayment {
  /** In the currency's smallest unit. */
  amount: number
  currency: string
  customer: string
  metadata: Stripe.Metadata
}

/** A payment that is still to come. */
export function openPayment(world: PaymentWorld, sale: OpenPayment): Stripe.PaymentIntent {
  const intent = toPaymentIntent({ ...sale, id: world.nextId('pi'), chargeId: '', created: world.now })
  const open = { status: 'requires_payment_method', amount_received: 0, latest_charge: null } as const
  world.intents.set(intent.id, { ...intent, ...open })
  return getFrom(world.intents, intent.id)
}

export type IntentOutcome = 'succeeded' | 'declined' | 'requires_action' | 'processing'

/** What becomes of an attempt to pay an intent, or to save a payment method. */
export function attempt(world: PaymentWorld, intentId: string, outcome: IntentOutcome): void {
  const setup = world.setups.get(intentId)
  if (setup) attemptSetup(world, setup, outcome)
  else attemptPayment(world, getFrom(world.intents, intentId), outcome)
}

function attemptSetup(world: PaymentWorld, setup: Stripe.SetupIntent, outcome: IntentOutcome): void {
  setup.status = outcome === 'declined' ? 'requires_payment_method' : outcome
  if (outcome !== 'succeeded') return
  const subscription = [...world.subscriptions.values()].find((one) => one.pending_setup_intent === setup.id)
  if (!subscription) return
  subscription.pending_setup_intent = null
  world.emit('customer.subscription.updated', subscription)
}

function attemptPayment(world: PaymentWorld, intent: Stripe.PaymentIntent, outcome: IntentOutcome): void {
  if (outcome !== 'succeeded') {
    intent.status = outcome === 'declined' ? 'requires_payment_method' : outcome
    if (outcome === 'declined') world.emit('payment_intent.payment_failed', intent)
    return
  }
  const { id, amount, currency, metadata } = intent
  const chargeId = world.nextId('ch')
  const customer = typeof intent.customer === 'string' ? intent.customer : null
  world.charges.set(chargeId, toCharge({ id, chargeId, amount, currency, customer, metadata, created: world.now }))
  Object.assign(intent, { status: 'succeeded', amount_received: amount, latest_charge: chargeId })
  const invoice = invoiceOf(world, id)
  if (invoice) settleInvoice(world, invoice, id)
  world.emit('payment_intent.succeeded', intent)
  if (invoice) begin(world, invoice)
}

const invoiceOf = (world: PaymentWorld, intentId: string): Stripe.Invoice | undefined => {
  const paid = [...world.invoicePayments.values()].find(({ payment }) => payment.payment_intent === intentId)
  return world.invoices.get(String(paid?.invoice))
}

function begin(world: PaymentWorld, invoice: Stripe.Invoice): void {
  const owner = String(invoice.parent?.subscription_details?.subscription)
  const subscription = getFrom(world.subscriptions, owner)
  subscription.status = 'active'
  world.emit('customer.subscription.updated', subscription)
  world.emit('invoice.paid', invoice)
}

/** The intent that a sale waits for; null when it waits for none. */
export function openIntentOf(world: PaymentWorld, subscription: Stripe.Subscription): string | null {
  const { pending_setup_intent: setup } = subscription
  if (typeof setup === 'string') return setup
  const { id } = newestInvoice(world, subscription)
  const payment = [...world.invoicePayments.values()].find(({ invoice }) => invoice === id)?.payment
  return typeof payment?.payment_intent === 'string' ? payment.payment_intent : null
}

/** Ends a sale that was not paid. */
export function expireSale(world: PaymentWorld, subscription: Stripe.Subscription): void {
  if (subscription.status !== 'incomplete') {
    endNow(world, subscription.id)
    return
  }
  Object.assign(subscription, { status: 'incomplete_expired', ended_at: world.now })
  const intent = world.intents.get(openIntentOf(world, subscription) ?? '')
  if (intent) intent.status = 'canceled'
  world.emit('customer.subscription.updated', subscription)
}

export function cancelIntent(intent: Stripe.PaymentIntent): void {
  intent.status = 'canceled'
}
