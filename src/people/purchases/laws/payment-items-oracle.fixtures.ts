import type Stripe from 'stripe'
import { DAY } from '../../../base/lib/clock'
import type { PurchaseStatus } from '../../../core/purchase/status'
import { GRACE_DAYS, type TestStore } from '../../../stores/payment/world.fixtures'
import { getFrom } from '../../../test-store/stores/payment-world'

// The expected result of a life, computed only from the provider's objects as they are at its end.

type Line = Stripe.InvoiceLineItem

/** A paid invoice's part of one item. */
interface ItemBill {
  invoice: Stripe.Invoice
  lines: Line[]
  /** The line that sells a period of the item; null when none does. */
  period: Line | null
}

/** The item of a line; in classic billing its invoice item states it. */
function itemIdOf({ world }: TestStore, { parent }: Line): string {
  const item = world.invoiceItems.get(parent?.invoice_item_details?.invoice_item ?? '')
  const written = item?.parent?.subscription_details?.subscription_item
  return parent?.subscription_item_details?.subscription_item ?? written ?? ''
}
const priceIdOf = ({ pricing }: Line): string => String(pricing?.price_details?.price ?? '')
const isProration = ({ parent }: Line): boolean =>
  (parent?.subscription_item_details ?? parent?.invoice_item_details)?.proration === true

/** The bills of an item, in the order of time. */
function billsOf(store: TestStore, sale: Stripe.Subscription, itemId: string): ItemBill[] {
  const paid = [...store.world.invoices.values()].filter(
    ({ status, parent }) => status === 'paid' && parent?.subscription_details?.subscription === sale.id,
  )
  return paid.flatMap((invoice) => {
    const lines = invoice.lines.data.filter((line) => itemIdOf(store, line) === itemId)
    return lines.length === 0 ? [] : [{ invoice, lines, period: lines.find((line) => !isProration(line)) ?? null }]
  })
}

const chargeOf = ({ world }: TestStore, { id }: Stripe.Invoice): Stripe.Charge | null => {
  const payment = [...world.invoicePayments.values()].find(({ invoice }) => invoice === id)?.payment
  const intent = world.intents.get(String(payment?.payment_intent))
  return intent ? getFrom(world.charges, String(intent.latest_charge)) : null
}

/** The amount of a charge that was not refunded or lost, in the smallest unit. */
function keptOf({ world }: TestStore, { id, amount }: Stripe.Charge): number {
  const isLost = [...world.disputes.values()].some(({ charge, status }) => charge === id && status === 'lost')
  const back = [...world.refunds.values()].filter(({ charge, status }) => charge === id && status !== 'failed')
  return isLost ? 0 : amount - back.reduce((sum, refund) => sum + refund.amount, 0)
}

/** Micros that were charged and not returned. */
export const expectedMoney = (store: TestStore): number =>
  [...store.world.charges.values()].reduce((sum, charge) => sum + keptOf(store, charge) * 10_000, 0)

/**
 * Whether the charge of a period was returned completely. Of a charge that paid several items, credit notes can return one:
 * such lives have no other refund of a part.
 */
function isGivenBack(store: TestStore, { invoice, lines }: ItemBill): boolean {
  const charge = chargeOf(store, invoice)
  if (!charge) return false
  if (keptOf(store, charge) === 0) return true
  const credited = [...store.world.creditNotes.values()]
    .filter((note) => note.invoice === invoice.id)
    .flatMap((note) => note.lines.data)
    .filter((credit) => lines.some(({ id }) => id === credit.invoice_line_item))
  return credited.length > 0 && sum(credited.map(({ amount }) => amount)) >= shareOf(store, invoice, lines)
}

/** What was paid for some lines of an invoice, in proportion to what each item costs, rounded up. */
function shareOf(store: TestStore, { amount_paid, lines: all }: Stripe.Invoice, own: readonly Line[]): number {
  const items = Map.groupBy(all.data, (line) => itemIdOf(store, line))
  const total = sum([...items.values()].map((lines) => Math.max(0, costOf(lines))))
  return total === 0 ? 0 : Math.ceil((amount_paid * Math.max(0, costOf(own))) / total)
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
const costOf = (lines: readonly Line[]): number => sum(lines.map(({ amount }) => amount))

/** The status of an item by wire 4.2 and purchases 3 and 6.5; `heardAt` is the time of the provider's last event. */
export function expectedStatus(
  store: TestStore,
  sale: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  now: number,
  heardAt: number,
): PurchaseStatus {
  const paid = periodOf(store, sale, item)
  const paidEnd = (paid?.period ? paid.period.period.end : item.current_period_start) * 1000
  const limit = (heardAt < paidEnd + 60 * DAY ? paidEnd : heardAt) + 60 * DAY
  const retry = now >= limit ? 'EXPIRED' : 'BILLING_RETRY'
  if (paid && isGivenBack(store, paid)) return 'REFUNDED'
  if (sale.status === 'canceled') return 'EXPIRED'
  if (sale.pause_collection && now >= paidEnd) return 'PAUSED'
  if (sale.status === 'past_due' && now < paidEnd + GRACE_DAYS * DAY) return 'GRACE_PERIOD'
  if (sale.status === 'past_due' || sale.status === 'unpaid') return now < paidEnd ? 'ACTIVE' : retry
  if (now >= item.current_period_end * 1000) return 'EXPIRED'
  return isTrial(paid, sale) ? 'TRIAL' : 'ACTIVE'
}

/** The bill of the period of an item that started last. A change within a period starts none. */
function periodOf(store: TestStore, sale: Stripe.Subscription, item: Stripe.SubscriptionItem): ItemBill | null {
  const periods = billsOf(store, sale, item.id).filter(({ period }) => period !== null)
  return periods.toSorted((a, b) => startOf(a) - startOf(b)).at(-1) ?? null
}

const startOf = ({ period }: ItemBill): number => period?.period.start ?? 0

const isTrial = (bill: ItemBill | null, { trial_end }: Stripe.Subscription): boolean =>
  trial_end !== null && bill?.period?.amount === 0 && startOf(bill) < trial_end

export const hasAccess = (status: PurchaseStatus): boolean => ['TRIAL', 'ACTIVE', 'GRACE_PERIOD'].includes(status)

const ACCESS: Record<string, string[]> = {
  price_monthly: ['pro'],
  price_team: ['coach', 'pro'],
  price_lifetime: ['pro'],
}

type HeardAt = (sale: Stripe.Subscription, item: Stripe.SubscriptionItem) => number

/** The customer's accesses, by what each present item sells and by the one-time products that were kept. */
export function expectedAccess(store: TestStore, now: number, heardAt: HeardAt): string[] {
  const given = [...store.world.subscriptions.values()].flatMap((sale) =>
    sale.items.data.flatMap((item) =>
      hasAccess(expectedStatus(store, sale, item, now, heardAt(sale, item))) ? (ACCESS[item.price.id] ?? []) : [],
    ),
  )
  const kept = boughtOnce(store).flatMap(({ priceId, isKept }) => (isKept ? (ACCESS[priceId] ?? []) : []))
  return [...new Set([...given, ...kept])].sort()
}

interface Bought {
  priceId: string
  isKept: boolean
}

/** The one-time products of checkouts and of invoices of no subscription. */
function boughtOnce(store: TestStore): Bought[] {
  const { sessions, orders, intents, charges, invoices } = store.world
  const complete = [...sessions.values()].filter(({ status, mode }) => status === 'complete' && mode === 'payment')
  const ofCheckouts = complete.flatMap(({ id, payment_intent, invoice }) => {
    const { priceId, others = [] } = getFrom(orders, id)
    const intent = typeof payment_intent === 'string' ? getFrom(intents, payment_intent) : null
    const charge = intent && getFrom(charges, String(intent.latest_charge))
    const bill = typeof invoice === 'string' ? getFrom(invoices, invoice) : null
    return [priceId, ...others].map((one) => ({ priceId: one, isKept: !charge || isKept(store, charge, bill, one) }))
  })
  const made = complete.map(({ invoice }) => invoice)
  const bills = [...invoices.values()].filter(
    ({ id, parent, status, amount_paid }) => !parent && status === 'paid' && amount_paid > 0 && !made.includes(id),
  )
  const ofBills = bills.flatMap((bill) => {
    const charge = chargeOf(store, bill)
    return bill.lines.data.map((line) => ({
      priceId: priceIdOf(line),
      isKept: !charge || isKept(store, charge, bill, priceIdOf(line)),
    }))
  })
  return [...ofCheckouts, ...ofBills]
}

function isKept(store: TestStore, charge: Stripe.Charge, bill: Stripe.Invoice | null, priceId: string): boolean {
  if (keptOf(store, charge) === 0) return false
  const lines = bill?.lines.data.filter((line) => priceIdOf(line) === priceId) ?? []
  const notes = [...store.world.creditNotes.values()].filter(({ invoice }) => invoice === bill?.id)
  const credits = notes.flatMap((note) => note.lines.data)
  const own = credits.filter((credit) => lines.some(({ id }) => id === credit.invoice_line_item))
  return own.length === 0 || sum(own.map(({ amount }) => amount)) < costOf(lines)
}

/** Micros for each month: the prices of the items in a period, less the discounts that last. A trial counts nothing. */
export function expectedMrr(store: TestStore, now: number, heardAt: HeardAt): number {
  const priced = [...store.world.subscriptions.values()].flatMap((sale) =>
    sale.items.data.filter(
      (item) =>
        ['ACTIVE', 'GRACE_PERIOD'].includes(expectedStatus(store, sale, item, now, heardAt(sale, item))) &&
        !isTrial(periodOf(store, sale, item), sale),
    ),
  )
  return sum(priced.map((item) => priceOf(store, item)))
}

function priceOf({ world }: TestStore, { price, quantity = 1, discounts }: Stripe.SubscriptionItem): number {
  const full = (price.unit_amount ?? 0) * quantity
  const off = discounts.flatMap((one) => {
    const { coupon } = getFrom(world.discounts, typeof one === 'string' ? one : one.id).source
    return typeof coupon === 'object' ? [coupon?.percent_off ?? 0] : []
  })
  return off.reduce((left, percent) => left - Math.round((left * percent) / 100), full) * 10_000
}

/** Whether the money of an item that is gone came by a proration in classic billing. */
export const hasClassicGone = (store: TestStore): boolean =>
  [...store.world.subscriptions.values()].some((sale) => {
    const present = sale.items.data.map(({ id }) => id)
    const { invoices } = store.world
    const paid = [...invoices.values()].filter(({ parent }) => parent?.subscription_details?.subscription === sale.id)
    return paid
      .flatMap(({ lines }) => lines.data)
      .some((line) => line.parent?.invoice_item_details && !present.includes(itemIdOf(store, line)))
  })

/** The invoices that charged a period of an item, also one that a balance paid. */
export function periodInvoices({ world }: TestStore): Set<string> {
  const paid = [...world.invoices.values()].filter(({ status, parent }) => status === 'paid' && parent)
  const sells = (line: Line) => !isProration(line) && line.amount > 0
  return new Set(paid.filter(({ lines }) => lines.data.some(sells)).map(({ id }) => id))
}
