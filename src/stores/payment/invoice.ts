import type { TransactionPart } from '../observation'
import { fromSmallestUnit } from './currency'
import { type Invoice, type InvoiceLine, idOf, type Subscription, toInstant } from './shapes'

/** A paid invoice of a subscription: its transaction, and when it was paid. */
export interface PaidPeriod {
  paidAt: number
  part: TransactionPart
  /** End of the paid period. */
  endsAt: number
}

/** Null for an unpaid invoice, and for one without a period of this subscription (an extra charge made by hand). */
export function readPaidPeriod(invoice: Invoice, subscription: Subscription): PaidPeriod | null {
  const line = isPaidOf(invoice, subscription) ? mainLine(invoice, subscription) : null
  if (!line) return null
  return {
    paidAt: toInstant(invoice.status_transitions.paid_at ?? invoice.created),
    part: toPart(invoice, line, subscription),
    endsAt: toInstant(line.period.end),
  }
}

/**
 * The price id of the subscription's product. With several items it is the first one; the others are additions to it.
 */
export const mainPrice = ({ items }: Subscription): string => items.data[0]?.price.id ?? ''

const isPaidOf = ({ status, parent }: Invoice, { id }: Subscription): boolean =>
  status === 'paid' && !!parent?.subscription_details && idOf(parent.subscription_details.subscription) === id

/**
 * The invoice line that sells the period. It belongs to the subscription's first item and is not a proration, for the
 * invoice of a cycle also contains the prorations of the period before. The result must not depend on the item's
 * present price.
 */
function mainLine({ lines }: Invoice, { items }: Subscription): InvoiceLine | null {
  const rank = ({ parent }: InvoiceLine): number =>
    (parent?.subscription_item_details?.subscription_item === items.data[0]?.id ? 1 : 0) +
    (sourceOf(parent)?.proration ? 0 : 2)
  const sold = lines.data.filter((line) => sellsPeriod(line) && priceOf(line) !== null)
  return sold.toSorted((a, b) => rank(a) - rank(b) || a.period.end - b.period.end).at(-1) ?? null
}

const sourceOf = (parent: InvoiceLine['parent']) => parent?.subscription_item_details ?? parent?.invoice_item_details

/** False for an extra charge made by hand and for the credit for the rest of an old price. */
function sellsPeriod({ parent, amount }: InvoiceLine): boolean {
  const source = sourceOf(parent)
  const isOfSubscription = !!parent?.subscription_item_details || source?.proration === true
  return isOfSubscription && amount >= 0 && !source?.proration_details?.credited_items
}

function priceOf({ pricing }: InvoiceLine): string | null {
  const price = pricing?.price_details?.price
  return price === undefined ? null : idOf(price)
}

function toPart(invoice: Invoice, line: InvoiceLine, subscription: Subscription): TransactionPart {
  const isFree = invoice.amount_paid === 0
  const isOfTrial = line.amount === 0 && isInTrial(line, subscription)
  return {
    transactionId: invoice.id,
    storeProductId: priceOf(line) ?? mainPrice(subscription),
    purchaseDate: toInstant(line.period.start),
    originalPurchaseDate: toInstant(subscription.start_date),
    expiresAt: toInstant(line.period.end),
    isTrial: isOfTrial && isFree,
    // A paid trial (one dollar for a week) is a free line beside another line that has a price.
    isIntroOffer: isOfTrial && !isFree,
    offerId: null,
    price: fromSmallestUnit(invoice.amount_paid, invoice.currency),
    quantity: Math.max(1, line.quantity ?? 1),
    ownershipType: 'PURCHASED',
    reason: RENEWALS.includes(invoice.billing_reason ?? '') ? 'RENEWAL' : 'PURCHASE',
  }
}

/** Decided by the beginning of the line: a trial may be shortened or extended after its invoice was made. */
const isInTrial = ({ period }: InvoiceLine, { trial_start, trial_end }: Subscription): boolean =>
  trial_start !== null && trial_end !== null && period.start >= trial_start && period.start < trial_end

/** Reasons with which the provider charges by itself. Any other invoice was caused by a person. */
const RENEWALS = ['subscription_cycle', 'subscription_threshold', 'subscription']
