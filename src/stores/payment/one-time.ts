import { divide } from '../../base/lib/divide'
import type { Report } from '../observation'
import { fromSmallestUnit } from './currency'
import { countryIn, priceOfLine } from './invoice'
import { PRICE_KEY } from './metadata'
import { type Invoice, type InvoiceLine, type PaymentIntent, type Session, toInstant } from './shapes'

/** A product of a one-time payment. */
export interface SoldLine {
  /** The id of the line of the checkout, else of the invoice; empty for a payment without both. */
  lineKey: string
  /** Empty for an invoice whose lines name no price, and for a payment that names none. */
  storeProductId: string
  report: Report
}

/** The products of a one-time payment, or the reason why there is none. */
export type OneTimeResult =
  | { ok: true; chainKey: string; lines: SoldLine[] }
  | { ok: false; reason: 'unpaid' | 'no_product' }

/** What was sold, as the provider has it. */
export interface OneTimeSale {
  intent: PaymentIntent | null
  session: Session | null
  /** An invoice of no subscription. One that a checkout made is the same sale as the checkout. */
  invoice: Invoice | null
  /** Whether the payment has neither a checkout nor an invoice, so that it is the sale itself. */
  isBare: boolean
}

/**
 * The payment intent gives the id and the date, so the checkout's event and the payment's event give the same reports.
 * An order that a coupon made free has no payment; then the checkout session is used. Without a checkout an invoice is the
 * sale: it can have several payments. What was paid is divided in proportion to what the lines cost.
 */
export function readOneTime({ intent, session, invoice, isBare }: OneTimeSale): OneTimeResult {
  const isBilled = invoice !== null && session === null
  const paid = isBilled ? ofInvoice(invoice) : intent ? ofIntent(intent) : session && ofFreeSession(session)
  if (!paid) return { ok: false, reason: 'unpaid' }
  const payment = { ...paid, ...countryIn(session?.customer_details?.address ?? invoice?.customer_address) }
  const items = isBilled ? invoice.lines.data.map(toBilled) : (session?.line_items?.data ?? []).map(toOrdered)
  const named = intent?.metadata[PRICE_KEY]
  if (items.every(({ priceId }) => priceId === null)) {
    // The payment of an invoice names no price either, so only the invoice itself tells that it is a sale.
    const storeProductId = named || (isBilled || isBare ? '' : null)
    if (storeProductId === null) return { ok: false, reason: 'no_product' }
    const [item] = items
    const report = toReport(payment, storeProductId, item?.quantity ?? 1)
    return { ok: true, chainKey: payment.id, lines: [{ lineKey: item?.id ?? '', storeProductId, report }] }
  }
  const shares = divide(
    payment.amount,
    items.map(({ amount }) => amount),
  )
  const lines = items.flatMap(({ id, priceId, quantity }, index): SoldLine[] => {
    if (priceId === null) return []
    const share = { ...payment, amount: shares[index] ?? 0 }
    return [{ lineKey: id, storeProductId: priceId, report: toReport(share, priceId, quantity ?? 1) }]
  })
  return { ok: true, chainKey: payment.id, lines }
}

interface Item {
  id: string
  priceId: string | null
  quantity: number | null
  amount: number
}

type Ordered = NonNullable<Session['line_items']>['data'][number]
const toOrdered = ({ id, price, quantity, amount_total: amount }: Ordered): Item => ({
  ...{ id, quantity, amount },
  priceId: price?.id ?? null,
})

const toBilled = ({ id, quantity, amount, ...line }: InvoiceLine): Item => ({
  ...{ id, quantity, amount },
  priceId: priceOfLine(line),
})

/** The key of the sold line that each line of an invoice is: its own id, or that of the checkout's line of its price. */
export function keysOfLines(
  invoice: Invoice | null,
  sold: readonly Pick<SoldLine, 'lineKey' | 'storeProductId'>[],
): [lineId: string, lineKey: string][] {
  const free = [...sold]
  return (invoice?.lines.data ?? []).flatMap((line): [string, string][] => {
    const at = free.findIndex((one) => one.lineKey === line.id || one.storeProductId === priceOfLine(line))
    return free.splice(at, at < 0 ? 0 : 1).map(({ lineKey }) => [line.id, lineKey])
  })
}

interface Payment {
  id: string
  paidAt: number
  amount: number
  currency: string
  country?: string
}

function ofIntent({ id, status, created, latest_charge, amount_received, currency }: PaymentIntent): Payment | null {
  if (status !== 'succeeded') return null
  const charged = typeof latest_charge === 'object' ? latest_charge?.created : undefined
  return { id, paidAt: toInstant(charged ?? created), amount: amount_received, currency }
}

/** An invoice over nothing may be that of a free checkout, which has no payment to tell it by. */
function ofInvoice({ id, status, amount_paid: amount, currency, ...made }: Invoice): Payment | null {
  if (status !== 'paid' || amount === 0) return null
  return { id, paidAt: toInstant(made.status_transitions.paid_at ?? made.created), amount, currency }
}

function ofFreeSession({ id, mode, payment_status, payment_intent, created, ...total }: Session): Payment | null {
  if (mode !== 'payment' || payment_status !== 'no_payment_required' || payment_intent !== null) return null
  return { id, paidAt: toInstant(created), amount: total.amount_total ?? 0, currency: total.currency ?? 'usd' }
}

const toReport = (
  { id, paidAt, amount, currency, country }: Payment,
  storeProductId: string,
  quantity: number,
): Report => ({
  kind: 'REPORT',
  id,
  eventAt: paidAt,
  transaction: {
    transactionId: id,
    storeProductId,
    purchaseDate: paidAt,
    originalPurchaseDate: paidAt,
    expiresAt: null,
    isTrial: false,
    isIntroOffer: false,
    offerId: null,
    price: fromSmallestUnit(amount, currency),
    ...(country !== undefined && { country }),
    quantity: Math.max(1, quantity),
    ownershipType: 'PURCHASED',
    reason: 'PURCHASE',
  },
})
