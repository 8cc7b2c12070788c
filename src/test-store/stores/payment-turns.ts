import type Stripe from 'stripe'
import { bill, itemOf, lineOf, payInvoice, periodEnd, periodLines } from './payment-billing'
import { getFrom, type PaymentWorld } from './payment-world'

// Turns of a subscription. Each changes the objects and adds the events that the provider sends.

/** A new period starts; its invoice stays a draft until `settle` or `failPayment`. */
export function beginPeriod(world: PaymentWorld, id: string): Stripe.Invoice {
  const subscription = getFrom(world.subscriptions, id)
  beginPhase(world, subscription)
  for (const item of subscription.items.data) {
    const start = item.current_period_end
    Object.assign(item, { current_period_start: start, current_period_end: periodEnd(item.price, start) })
  }
  if (subscription.status === 'trialing') subscription.status = 'active'
  const invoice = bill(world, subscription, 'subscription_cycle', periodLines(world, subscription))
  invoice.status = 'draft'
  world.emit('customer.subscription.updated', subscription)
  return invoice
}

/** The next phase of a schedule starts with the period, and the schedule has no other one. */
function beginPhase(world: PaymentWorld, subscription: Stripe.Subscription): void {
  const schedule = world.schedules.get(String(subscription.schedule))
  const next = schedule?.phases.at(-1)?.items[0]
  if (!schedule || !next) return
  itemOf(subscription).price = getFrom(world.prices, String(next.price))
  Object.assign(schedule, { status: 'released', current_phase: null, released_at: world.now })
  subscription.schedule = null
}

/** The newest invoice is paid; a subscription with a billing problem becomes active again. */
export function settle(world: PaymentWorld, id: string): Stripe.Invoice {
  const subscription = getFrom(world.subscriptions, id)
  const invoice = newestInvoice(world, subscription)
  const wasInTrouble = subscription.status === 'past_due' || subscription.status === 'unpaid'
  payInvoice(world, invoice)
  if (wasInTrouble) {
    subscription.status = 'active'
    world.emit('customer.subscription.updated', subscription)
  }
  world.emit('invoice.paid', invoice)
  return invoice
}

/** The next period starts and is paid at once. */
export function renew(world: PaymentWorld, id: string): Stripe.Invoice {
  beginPeriod(world, id)
  return settle(world, id)
}

/** The payment of a new period fails, and the provider tries again for some time. */
export function failPayment(world: PaymentWorld, id: string): Stripe.Invoice {
  const subscription = getFrom(world.subscriptions, id)
  const newest = newestInvoice(world, subscription)
  const invoice = newest.status === 'draft' ? newest : beginPeriod(world, id)
  Object.assign(invoice, { status: 'open', attempted: true, attempt_count: 1 })
  subscription.status = 'past_due'
  world.emit('invoice.payment_failed', invoice)
  world.emit('customer.subscription.updated', subscription)
  return invoice
}

/** The provider stops trying. Depending on the account's settings the subscription stays unpaid or ends. */
export function giveUp(world: PaymentWorld, id: string, end: 'unpaid' | 'canceled'): void {
  const subscription = getFrom(world.subscriptions, id)
  subscription.status = 'unpaid'
  if (end === 'canceled') endNow(world, id, 'payment_failed')
  else world.emit('customer.subscription.updated', subscription)
}

export function cancelAtPeriodEnd(world: PaymentWorld, id: string): Stripe.Subscription {
  const subscription = getFrom(world.subscriptions, id)
  const members = { cancel_at_period_end: true, cancel_at: itemOf(subscription).current_period_end }
  Object.assign(subscription, { ...members, canceled_at: world.now })
  setReason(subscription, 'cancellation_requested')
  world.emit('customer.subscription.updated', subscription)
  return subscription
}

export function undoCancel(world: PaymentWorld, id: string): void {
  const subscription = getFrom(world.subscriptions, id)
  Object.assign(subscription, { cancel_at_period_end: false, cancel_at: null, canceled_at: null })
  setReason(subscription, null)
  world.emit('customer.subscription.updated', subscription)
}

/** Ends the subscription now; it cannot be resumed. */
export function endNow(
  world: PaymentWorld,
  id: string,
  reason: Stripe.Subscription.CancellationDetails.Reason = 'cancellation_requested',
): void {
  const subscription = getFrom(world.subscriptions, id)
  Object.assign(subscription, { status: 'canceled', ended_at: world.now, canceled_at: world.now })
  setReason(subscription, reason)
  world.emit('customer.subscription.deleted', subscription)
}

/** `resumesAt` is in seconds; null = until it is resumed. */
export function pauseCollection(world: PaymentWorld, id: string, resumesAt: number | null = null): void {
  const subscription = getFrom(world.subscriptions, id)
  subscription.pause_collection = { behavior: 'void', resumes_at: resumesAt }
  world.emit('customer.subscription.updated', subscription)
}

/** Pauses the subscription, as when a trial ends without a payment method. */
export function pause(world: PaymentWorld, id: string): void {
  const subscription = getFrom(world.subscriptions, id)
  const paused = { type: 'subscription', transitioned_at: world.now, subscription: { type: 'pause_requested' } }
  Object.assign(subscription, { status: 'paused', status_details: { paused } })
  world.emit('customer.subscription.paused', subscription)
}

export function resume(world: PaymentWorld, id: string): void {
  const subscription = getFrom(world.subscriptions, id)
  const wasPaused = subscription.status === 'paused'
  subscription.pause_collection = null
  if (wasPaused) subscription.status = 'active'
  world.emit(wasPaused ? 'customer.subscription.resumed' : 'customer.subscription.updated', subscription)
}

/**
 * Changes the price now. The rest of the period at the old price is credited against the rest at the new one; during a
 * trial both are zero. Billed at once or, with `isBilled` false, with the next period.
 */
export function changePrice(world: PaymentWorld, id: string, priceId: string, isBilled = true): Stripe.Invoice | null {
  const subscription = getFrom(world.subscriptions, id)
  const lines = prorations(world, subscription, getFrom(world.prices, priceId))
  itemOf(subscription).price = getFrom(world.prices, priceId)
  const invoice = isBilled ? bill(world, subscription, 'subscription_update', lines) : null
  if (invoice) payInvoice(world, invoice)
  world.emit('customer.subscription.updated', subscription)
  if (invoice) world.emit('invoice.paid', invoice)
  return invoice
}

function prorations(
  world: PaymentWorld,
  subscription: Stripe.Subscription,
  next: Stripe.Price,
): Stripe.InvoiceLineItem[] {
  const { price: before, current_period_start: start, current_period_end: end } = itemOf(subscription)
  const share = subscription.status === 'trialing' ? 0 : (end - world.now) / (end - start)
  const left = { start: world.now, end, isProration: true }
  const amounts = [before, next].map(({ unit_amount }) => Math.round((unit_amount ?? 0) * share))
  const credits = newestInvoice(world, subscription).id
  return [
    lineOf(world, subscription, before, { ...left, amount: -(amounts[0] ?? 0), credits }),
    lineOf(world, subscription, next, { ...left, amount: amounts[1] ?? 0 }),
  ]
}

export function newestInvoice(world: PaymentWorld, { latest_invoice }: Stripe.Subscription): Stripe.Invoice {
  return getFrom(world.invoices, typeof latest_invoice === 'string' ? latest_invoice : '')
}

function setReason(subscription: Stripe.Subscription, reason: Stripe.Subscription.CancellationDetails.Reason | null) {
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason }
}
