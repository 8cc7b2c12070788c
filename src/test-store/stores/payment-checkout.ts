import type Stripe from 'stripe'
import { addCustomer, charge, subscribe } from './payment-billing'
import { billCheckout } from './payment-invoices'
import { toPortalSession, toSession } from './payment-money-objects'
import { getFrom, type PaymentWorld } from './payment-world'

/** The parameters of a checkout that the stand-in uses. */
export interface CheckoutRequest {
  mode: 'subscription' | 'payment'
  priceId: string
  /** Prices that it sells besides the first one. */
  others?: readonly string[]
  /** Whether its payment gets an invoice. */
  hasInvoice?: boolean
  customer: string | null
  successUrl: string | null
  cancelUrl: string | null
  /** Metadata of the session. */
  metadata: Stripe.Metadata
  /** Metadata of the subscription or payment that the checkout creates. */
  saleMetadata: Stripe.Metadata
  trialDays: number
}

export function openCheckout(world: PaymentWorld, request: CheckoutRequest): Stripe.Checkout.Session {
  const { mode, priceId, others = [], hasInvoice = false, customer, metadata, saleMetadata, trialDays } = request
  const id = world.nextId('cs')
  const price = getFrom(world.prices, priceId)
  const session = toSession({
    id,
    created: world.now,
    mode,
    price,
    customer,
    customer_creation: customer === null ? 'always' : null,
    metadata,
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
    url: `https://checkout.simulated.example/c/${id}`,
  })
  const prices = [price, ...others.map((one) => getFrom(world.prices, one))]
  const amount = prices.reduce((sum, { unit_amount }) => sum + (unit_amount ?? 0), 0)
  Object.assign(session, { amount_subtotal: amount, amount_total: amount })
  world.sessions.set(id, session)
  world.orders.set(id, { priceId, others, hasInvoice, metadata: saleMetadata, trialDays })
  return session
}

/** The customer pays. `isFree`: a coupon makes a one-time product free. */
export function completeCheckout(world: PaymentWorld, id: string, isFree = false): Stripe.Checkout.Session {
  const session = getFrom(world.sessions, id)
  const customer = typeof session.customer === 'string' ? session.customer : addCustomer(world).id
  Object.assign(session, { status: 'complete', customer, url: null })
  if (session.mode === 'subscription') completeSubscription(world, session, customer)
  else completePayment(world, session, customer, isFree)
  world.emit('checkout.session.completed', session)
  return session
}

function completeSubscription(world: PaymentWorld, session: Stripe.Checkout.Session, customer: string): void {
  const { priceId, others = [], metadata, trialDays } = getFrom(world.orders, session.id)
  const subscription = subscribe(world, { priceId, others, trialDays, customer, metadata })
  session.subscription = subscription.id
  session.payment_status = trialDays > 0 ? 'no_payment_required' : 'paid'
}

function completePayment(
  world: PaymentWorld,
  session: Stripe.Checkout.Session,
  customer: string,
  isFree: boolean,
): void {
  session.payment_status = isFree ? 'no_payment_required' : 'paid'
  if (isFree) {
    session.amount_total = 0
    return
  }
  const { metadata, priceId, others = [], hasInvoice } = getFrom(world.orders, session.id)
  const sale = { amount: session.amount_total ?? 0, currency: session.currency ?? 'usd', customer, metadata }
  const intent = charge(world, sale)
  session.payment_intent = intent.id
  const invoice = hasInvoice ? billCheckout(world, { prices: [priceId, ...others], customer }, intent.id) : null
  world.emit('payment_intent.succeeded', intent)
  if (!invoice) return
  session.invoice = invoice.id
  world.emit('invoice.paid', invoice)
}

export function openPortal(world: PaymentWorld, customer: string, returnUrl: string): Stripe.BillingPortal.Session {
  const id = world.nextId('bps')
  const url = `https://billing.simulated.example/p/${id}`
  return toPortalSession({ id, created: world.now, customer, return_url: returnUrl, url })
}
