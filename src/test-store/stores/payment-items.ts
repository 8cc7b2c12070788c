import type Stripe from 'stripe'
import { bill, itemOf, lineOf, payInvoice, periodEnd } from './payment-billing'
import { toItem, toSchedule } from './payment-billing-objects'
import { newestInvoice } from './payment-turns'
import { getFrom, type PaymentWorld } from './payment-world'

// Turns that change the items of a subscription, or what pays for them.

/** Adds an item within the period. The rest of the period is billed at once. */
export function addItem(world: PaymentWorld, id: string, priceId: string): Stripe.Invoice {
  const subscription = getFrom(world.subscriptions, id)
  const { current_period_start, current_period_end } = itemOf(subscription)
  const price = getFrom(world.prices, priceId)
  const period = { current_period_start, current_period_end }
  const item = toItem({ id: world.nextId('si'), subscription: id, price, created: world.now, ...period })
  subscription.items.data.push(item)
  return billRest(world, subscription, item, 0, 1)
}

/** Removes an item at once, without a credit. */
export function removeItem(world: PaymentWorld, id: string, itemId: string): void {
  const subscription = getFrom(world.subscriptions, id)
  subscription.items.data = subscription.items.data.filter((item) => item.id !== itemId)
  world.emit('customer.subscription.updated', subscription)
}

/** Changes the quantity (seats) of an item within the period. The difference for its rest is billed at once. */
export function setQuantity(world: PaymentWorld, id: string, itemId: string, quantity: number): Stripe.Invoice {
  const subscription = getFrom(world.subscriptions, id)
  const item = subscription.items.data.find((one) => one.id === itemId) ?? itemOf(subscription)
  const before = item.quantity ?? 1
  item.quantity = quantity
  return billRest(world, subscription, item, before, quantity)
}

/** Another item takes the place of one, as a change of the plan in one update does. */
export function replaceItem(world: PaymentWorld, id: string, itemId: string, priceId: string): Stripe.Invoice {
  const subscription = getFrom(world.subscriptions, id)
  const price = getFrom(world.prices, priceId)
  const period = { current_period_start: world.now, current_period_end: periodEnd(price, world.now) }
  const item = toItem({ id: world.nextId('si'), subscription: id, price, created: world.now, ...period })
  subscription.items.data = [...subscription.items.data.filter((one) => one.id !== itemId), item]
  const sold = { amount: price.unit_amount ?? 0, start: world.now, end: period.current_period_end, item: item.id }
  return settleNow(world, subscription, [lineOf(world, subscription, price, sold)])
}

/** Announces another price of the first item for the next period, as the customer portal does. */
export function schedulePrice(world: PaymentWorld, id: string, priceId: string): void {
  const subscription = getFrom(world.subscriptions, id)
  const { price, current_period_start: start, current_period_end: end } = itemOf(subscription)
  const { customer, currency } = subscription
  const next = getFrom(world.prices, priceId)
  const phases = [
    { start, end, priceId: price.id, currency },
    { start: end, end: periodEnd(next, end), priceId, currency },
  ]
  const schedule = toSchedule({ id: world.nextId('sub_sched'), created: world.now, customer, subscription: id, phases })
  world.schedules.set(schedule.id, schedule)
  subscription.schedule = schedule.id
  world.emit('customer.subscription.updated', subscription)
}

/** Gives the customer a credit, in the smallest unit, which pays for the next invoices. */
export function addCredit(world: PaymentWorld, id: string, amount: number): void {
  const customer = getFrom(world.customers, String(getFrom(world.subscriptions, id).customer))
  customer.balance -= amount
}

function billRest(
  world: PaymentWorld,
  subscription: Stripe.Subscription,
  { id, price, current_period_start: start, current_period_end: end }: Stripe.SubscriptionItem,
  before: number,
  after: number,
): Stripe.Invoice {
  const share = (end - world.now) / (end - start)
  const amountOf = (quantity: number) => Math.round((price.unit_amount ?? 0) * quantity * share)
  const left = { start: world.now, end, isProration: true, item: id }
  const credits = newestInvoice(world, subscription).id
  const credit = { ...left, amount: -amountOf(before), quantity: before, credits }
  const lines = before === 0 ? [] : [lineOf(world, subscription, price, credit)]
  return settleNow(world, subscription, [
    ...lines,
    lineOf(world, subscription, price, { ...left, amount: amountOf(after), quantity: after }),
  ])
}

function settleNow(
  world: PaymentWorld,
  subscription: Stripe.Subscription,
  lines: Stripe.InvoiceLineItem[],
): Stripe.Invoice {
  const invoice = bill(world, subscription, 'subscription_update', lines)
  payInvoice(world, invoice)
  world.emit('customer.subscription.updated', subscription)
  world.emit('invoice.paid', invoice)
  return invoice
}
