import { countryCode } from '../../base/lib/countries'
import { divide } from '../../base/lib/divide'
import type { Adjustment, TransactionPart } from '../observation'
import { fromSmallestUnit } from './currency'
import { type ItemNames, namedItem } from './invoice-items'
import { type Address, type Invoice, type InvoiceLine, idOf, type Subscription, toInstant } from './shapes'

/** What a paid invoice charged for one item of a subscription. */
export interface PaidItem {
  /** The id of the item. */
  lineKey: string
  paidAt: number
  charge: { kind: 'PERIOD'; part: TransactionPart; endsAt: number } | { kind: 'ADJUSTMENT'; adjustment: Adjustment }
}

/** The charge of a period of an item. */
export interface PaidPeriod {
  part: TransactionPart
  /** End of the paid period. */
  endsAt: number
}

/**
 * What a paid invoice charged, for each item; none for an unpaid invoice. The lines of an item are one charge. It is the
 * charge of a period when one of them sells a period, whatever the reason of the invoice; else it is an adjustment, and
 * none when nothing was paid for it. What was paid is divided in proportion to the lines, so taxes, discounts and a balance
 * concern each item.
 */
export function readPaidItems(invoice: Invoice, subscription: Subscription, names: ItemNames): PaidItem[] {
  if (!isPaidOf(invoice, subscription)) return []
  const groups = [...Map.groupBy(invoice.lines.data, (line) => itemIdOf(line, invoice, subscription, names))]
  const shares = divide(
    invoice.amount_paid,
    groups.map(([, lines]) => lines.reduce((sum, { amount }) => sum + amount, 0)),
  )
  return groups.flatMap(([lineKey, lines], index) =>
    toPaidItem(invoice, subscription, lineKey, lines, shares[index] ?? 0),
  )
}

/** Names the prorations of a paid invoice: each charges the rest of a period of an item, for a price. */
export function namesOfProrations(invoice: Invoice, subscription: Subscription, names: ItemNames): string[] {
  if (!isPaidOf(invoice, subscription)) return []
  const charged = invoice.lines.data.filter((line) => isProration(line) && line.amount >= 0)
  return charged.map((line) =>
    nameOfProration(itemIdOf(line, invoice, subscription, names), priceOfLine(line), toInstant(line.period.end)),
  )
}

export const nameOfProration = (itemId: string, price: string | null, endsAt: number): string =>
  `${itemId} ${price ?? ''} ${endsAt}`

/** The id of the item that each line of an invoice is about, by the id of the line. */
export const itemsOfLines = (
  invoice: Invoice,
  subscription: Subscription,
  names: ItemNames,
): [lineId: string, itemId: string][] =>
  invoice.lines.data.map((line) => [line.id, itemIdOf(line, invoice, subscription, names)])

/** Whether it is a paid invoice of a subscription, whatever was paid. */
export const isPaidOf = ({ status, parent }: Invoice, { id }: Subscription): boolean =>
  status === 'paid' && !!parent?.subscription_details && idOf(parent.subscription_details.subscription) === id

function toPaidItem(
  invoice: Invoice,
  subscription: Subscription,
  lineKey: string,
  lines: readonly InvoiceLine[],
  paid: number,
): PaidItem[] {
  const paidAt = toInstant(invoice.status_transitions.paid_at ?? invoice.created)
  const line = periodLine(lines)
  if (line) {
    const part = toPart(invoice, line, subscription, lineKey, paid)
    return [{ lineKey, paidAt, charge: { kind: 'PERIOD', part, endsAt: toInstant(line.period.end) } }]
  }
  const adjustment = toAdjustment(invoice, lines, subscription, paid)
  return adjustment ? [{ lineKey, paidAt, charge: { kind: 'ADJUSTMENT', adjustment } }] : []
}

/**
 * The item that a line is about. The provider names none for an item added by hand, nor for a proration in classic billing
 * whose invoice item the key may not read: then it is the one with the line's price, else the one that another proration of
 * the same time charges, else the first. What the invoice names comes before what the subscription has now.
 */
function itemIdOf(line: InvoiceLine, { lines }: Invoice, { items }: Subscription, names: ItemNames): string {
  const named = namedItem(line, names)
  if (named !== undefined) return named
  const known = lines.data.flatMap((other) => {
    const id = namedItem(other, names)
    return id === undefined ? [] : [{ id, price: priceOfLine(other) }]
  })
  const present = items.data.map(({ id, price }) => ({ id, price: price.id }))
  const ofPrice = (price: string | null) => [...known, ...present].find((item) => item.price === price)?.id
  const others = lines.data.filter((other) => other !== line && isProration(other) && isSameStart(other, line))
  const beside = isProration(line)
    ? others.map((other) => ofPrice(priceOfLine(other))).find((id) => id !== undefined)
    : undefined
  return ofPrice(priceOfLine(line)) ?? beside ?? known[0]?.id ?? present[0]?.id ?? ''
}

const isSameStart = (a: InvoiceLine, b: InvoiceLine): boolean => a.period.start === b.period.start

/** The line that sells a period of an item; null when none does. The invoice of a cycle also contains prorations. */
function periodLine(lines: readonly InvoiceLine[]): InvoiceLine | null {
  const sold = lines.filter((line) => sellsPeriod(line) && priceOfLine(line) !== null)
  return sold.toSorted((a, b) => a.period.end - b.period.end).at(-1) ?? null
}

const sourceOf = (parent: InvoiceLine['parent']) => parent?.subscription_item_details ?? parent?.invoice_item_details

const isProration = ({ parent }: InvoiceLine): boolean => sourceOf(parent)?.proration === true

/** False for an extra charge made by hand, for a proration and for a credit. */
const sellsPeriod = (line: InvoiceLine): boolean =>
  !!line.parent?.subscription_item_details && !isProration(line) && line.amount >= 0

/** The id of the price that a line of an invoice sells; null for a line without one. */
export function priceOfLine({ pricing }: Pick<InvoiceLine, 'pricing'>): string | null {
  const price = pricing?.price_details?.price
  return price === undefined ? null : idOf(price)
}

function toPart(
  invoice: Invoice,
  line: InvoiceLine,
  subscription: Subscription,
  lineKey: string,
  paid: number,
): TransactionPart {
  const isFree = paid === 0
  const isOfTrial = line.amount === 0 && isInTrial(line, subscription)
  return {
    transactionId: invoice.id,
    storeProductId: priceOfLine(line) ?? '',
    purchaseDate: toInstant(line.period.start),
    originalPurchaseDate: toInstant(subscription.start_date),
    expiresAt: toInstant(line.period.end),
    isTrial: isOfTrial && isFree,
    // A paid trial (one dollar for a week) is a free line besides another line of the item that has a price.
    isIntroOffer: isOfTrial && !isFree,
    offerId: null,
    price: fromSmallestUnit(paid, invoice.currency),
    ...countryIn(invoice.customer_address),
    quantity: Math.max(1, line.quantity ?? 1),
    ownershipType: 'PURCHASED',
    reason:
      RENEWALS.includes(invoice.billing_reason ?? '') && !isFirst(line, subscription, lineKey) ? 'RENEWAL' : 'PURCHASE',
  }
}

/** The country of the customer, where the address names one. */
export function countryIn(address: Address | null | undefined): { country?: string } {
  const country = countryCode(address?.country ?? '')
  return country === null ? {} : { country }
}

/** Whether it sells the first period of an item that was added within the period before: the provider renewed the others. */
function isFirst(
  { period: { start, end } }: InvoiceLine,
  { items, start_date }: Subscription,
  lineKey: string,
): boolean {
  const { created } = items.data.find(({ id }) => id === lineKey) ?? {}
  return created !== undefined && created > start_date && created > start - (end - start)
}

/** Null when nothing was paid: a credit, or a balance that paid all of it. */
function toAdjustment(
  invoice: Invoice,
  lines: readonly InvoiceLine[],
  { items }: Subscription,
  paid: number,
): Adjustment | null {
  const price = fromSmallestUnit(paid, invoice.currency)
  if (paid === 0 || !price) return null
  const charged = lines.filter(({ amount }) => amount > 0)
  const { quantity = 1 } = charged.at(-1) ?? {}
  const prices = [...charged.map(priceOfLine).reverse(), items.data[0]?.price.id ?? null]
  return {
    transactionId: invoice.id,
    storeProductId: prices.find((one) => one !== null) ?? '',
    chargedAt: toInstant(invoice.status_transitions.paid_at ?? invoice.created),
    price,
    quantity: Math.max(1, quantity ?? 1),
  }
}

/** Decided by the start of the line: a trial may be shortened or extended after its invoice was made. */
const isInTrial = ({ period }: InvoiceLine, { trial_start, trial_end }: Subscription): boolean =>
  trial_start !== null && trial_end !== null && period.start >= trial_start && period.start < trial_end

/** Reasons with which the provider charges by itself. Any other invoice was caused by a person. */
const RENEWALS = ['subscription_cycle', 'subscription_threshold', 'subscription']
