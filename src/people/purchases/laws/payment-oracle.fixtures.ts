import type Stripe from 'stripe'
import { DAY } from '../../../base/lib/clock'
import type { PurchaseStatus } from '../../../core/purchase/status'
import { GRACE_DAYS, type TestStore } from '../../../stores/payment/world.fixtures'
import { itemOf } from '../../../test-store/stores/payment-billing'
import { chargeOfInvoice } from '../../../test-store/stores/payment-returns'
import { getFrom } from '../../../test-store/stores/payment-world'

// The expected result of a life, computed only from the data of the provider and from wire 4.2, 5.5 and 5.7.

/** The status of a subscription by wire 4.2. `heardAt` is the time of the provider's last event. */
export function expectedStatus(
  store: TestStore,
  sale: Stripe.Subscription,
  now: number,
  heardAt: number,
): PurchaseStatus {
  const paid = currentInvoice(store, sale)
  const paidEnd = lineOf(paid).period.end * 1000
  const limit = (heardAt < paidEnd + 60 * DAY ? paidEnd : heardAt) + 60 * DAY
  const retry = now >= limit ? 'EXPIRED' : 'BILLING_RETRY'
  if (isGivenBack(store, paid)) return 'REFUNDED'
  if (sale.status === 'canceled') return 'EXPIRED'
  if (sale.pause_collection && now >= paidEnd) return 'PAUSED'
  if (sale.status === 'past_due') return now < paidEnd + GRACE_DAYS * DAY ? 'GRACE_PERIOD' : retry
  if (sale.status === 'unpaid') return retry
  if (now >= itemOf(sale).current_period_end * 1000) return 'EXPIRED'
  return isTrial(paid, sale) ? 'TRIAL' : 'ACTIVE'
}

export const hasAccess = (status: PurchaseStatus): boolean => ['TRIAL', 'ACTIVE', 'GRACE_PERIOD'].includes(status)

/** The customer's accesses, by the price that is in force. */
export function expectedAccess(
  store: TestStore,
  now: number,
  heardAt: (sale: Stripe.Subscription) => number,
): string[] {
  const sales = [...store.world.subscriptions.values()]
  const running = sales.filter((sale) => hasAccess(expectedStatus(store, sale, now, heardAt(sale))))
  const given = running.flatMap((sale) => (itemOf(sale).price.id === 'price_yearly' ? ['coach', 'pro'] : ['pro']))
  return [...new Set(given)].sort()
}

const invoicesOf = ({ world }: TestStore, { id }: Stripe.Subscription): Stripe.Invoice[] =>
  [...world.invoices.values()].filter(
    ({ status, parent }) => status === 'paid' && parent?.subscription_details?.subscription === id,
  )

/** The invoice whose period started last. A change within a period starts none. */
function currentInvoice(store: TestStore, sale: Stripe.Subscription): Stripe.Invoice {
  const periods = invoicesOf(store, sale).filter(({ billing_reason }) => billing_reason !== 'subscription_update')
  const sorted = periods.sort((a, b) => lineOf(a).period.start - lineOf(b).period.start)
  const current = sorted.at(-1)
  if (!current) throw new Error('A subscription begins with a paid invoice')
  return current
}

/** The line of an invoice that sells a period: the last one, after any credit for an earlier sale. */
function lineOf({ lines }: Stripe.Invoice): Stripe.InvoiceLineItem {
  const line = lines.data.at(-1)
  if (!line) throw new Error('An invoice has a line')
  return line
}

const isTrial = (invoice: Stripe.Invoice, { trial_end }: Stripe.Subscription): boolean =>
  trial_end !== null && lineOf(invoice).amount === 0 && lineOf(invoice).period.start < trial_end

function isGivenBack(store: TestStore, { id, amount_paid }: Stripe.Invoice): boolean {
  return amount_paid > 0 && keptOf(store, getFrom(store.world.charges, chargeOfInvoice(store.world, id))) === 0
}

/** The amount of a charge that was not refunded, in the smallest unit. */
function keptOf({ world }: TestStore, { id, amount }: Stripe.Charge): number {
  const isLost = [...world.disputes.values()].some(({ charge, status }) => charge === id && status === 'lost')
  const back = [...world.refunds.values()].filter(({ charge, status }) => charge === id && status !== 'failed')
  return isLost ? 0 : amount - back.reduce((sum, refund) => sum + refund.amount, 0)
}

/** Micros that were charged and not refunded or lost. */
export const expectedMoney = (store: TestStore): number =>
  [...store.world.charges.values()].reduce((sum, charge) => sum + keptOf(store, charge) * 10_000, 0)

/**
 * 100 for coins, less the refunded part of each refund; 500 for each yearly period that was bought or charged, except for a
 * change to it.
 */
export function expectedCoins(store: TestStore): number {
  const { sessions, intents, charges, subscriptions } = store.world
  const orders = [...sessions.values()].filter(({ status }) => status === 'complete')
  const kept = orders.map(({ payment_intent: id }) => {
    if (typeof id !== 'string') return 100
    const charge = getFrom(charges, String(getFrom(intents, id).latest_charge))
    if (keptOf(store, charge) === 0) return 0
    const back = [...store.world.refunds.values()].filter(
      (refund) => refund.charge === charge.id && refund.status !== 'failed',
    )
    return back.reduce((left, { amount }) => left - Math.floor((100 * amount) / charge.amount), 100)
  })
  const years = [...subscriptions.values()].flatMap((sale) => invoicesOf(store, sale).filter(isYear(store, sale)))
  return kept.reduce((sum, coins) => sum + coins, 0) + years.length * 500
}

const isYear = (store: TestStore, sale: Stripe.Subscription) => (invoice: Stripe.Invoice) =>
  lineOf(invoice).pricing?.price_details?.price === 'price_yearly' &&
  invoice.billing_reason !== 'subscription_update' &&
  !isTrial(invoice, sale) &&
  !isGivenBack(store, invoice)
