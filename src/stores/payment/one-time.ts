import { divide } from '../../base/lib/divide'
import type { Report } from '../observation'
import { fromSmallestUnit } from './currency'
import { PRICE_KEY } from './metadata'
import { type PaymentIntent, type Session, toInstant } from './shapes'

/** A product of a one-time payment. */
export interface SoldLine {
  /** The id of the checkout's line; empty for a payment without a checkout. */
  lineKey: string
  storeProductId: string
  report: Report
}

/** The products of a one-time payment, or the reason why there is none. */
export type OneTimeResult =
  | { ok: true; chainKey: string; lines: SoldLine[] }
  | { ok: false; reason: 'unpaid' | 'no_product' }

/**
 * The payment intent gives the id and the date, so the checkout's event and the payment's event give the same reports.
 * An order that a coupon made free has no payment; then the checkout session is used. What was paid is divided in
 * proportion to what the lines of the checkout cost.
 */
export function readOneTime(intent: PaymentIntent | null, session: Session | null): OneTimeResult {
  const payment = intent ? ofIntent(intent) : session && ofFreeSession(session)
  if (!payment) return { ok: false, reason: 'unpaid' }
  const items = session?.line_items?.data ?? []
  const priced = items.filter(({ price }) => price !== null)
  const named = intent?.metadata[PRICE_KEY]
  if (priced.length === 0) {
    if (!named) return { ok: false, reason: 'no_product' }
    const [item] = items
    const sold = { lineKey: item?.id ?? '', storeProductId: named }
    return {
      ok: true,
      chainKey: payment.id,
      lines: [{ ...sold, report: toReport(payment, named, item?.quantity ?? 1) }],
    }
  }
  const shares = divide(
    payment.amount,
    items.map(({ amount_total }) => amount_total),
  )
  const lines = items.flatMap(({ id, price, quantity }, index): SoldLine[] => {
    if (!price) return []
    const paid = { ...payment, amount: shares[index] ?? 0 }
    return [{ lineKey: id, storeProductId: price.id, report: toReport(paid, price.id, quantity ?? 1) }]
  })
  return { ok: true, chainKey: payment.id, lines }
}

interface Payment {
  id: string
  paidAt: number
  amount: number
  currency: string
}

function ofIntent({ id, status, created, latest_charge, amount_received, currency }: PaymentIntent): Payment | null {
  if (status !== 'succeeded') return null
  const charged = typeof latest_charge === 'object' ? latest_charge?.created : undefined
  return { id, paidAt: toInstant(charged ?? created), amount: amount_received, currency }
}

function ofFreeSession({ id, mode, payment_status, payment_intent, created, ...total }: Session): Payment | null {
  if (mode !== 'payment' || payment_status !== 'no_payment_required' || payment_intent !== null) return null
  return { id, paidAt: toInstant(created), amount: total.amount_total ?? 0, currency: total.currency ?? 'usd' }
}

const toReport = ({ id, paidAt, amount, currency }: Payment, storeProductId: string, quantity: number): Report => ({
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
    quantity: Math.max(1, quantity),
    ownershipType: 'PURCHASED',
    reason: 'PURCHASE',
  },
})
