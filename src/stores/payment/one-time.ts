import type { Report } from '../observation'
import { fromSmallestUnit } from './currency'
import { PRICE_KEY } from './metadata'
import { type PaymentIntent, type Session, toInstant } from './shapes'

/** The report of a payment for a one-time product, or the reason why there is none. */
export type OneTimeResult =
  | { ok: true; chainKey: string; storeProductId: string; report: Report }
  | { ok: false; reason: 'unpaid' | 'no_product' }

/**
 * The payment intent gives the id and the date, so the checkout's event and the payment's event give the same report.
 * An order that a coupon made free has no payment; then the checkout session is used.
 */
export function readOneTime(intent: PaymentIntent | null, session: Session | null): OneTimeResult {
  const payment = intent ? ofIntent(intent) : session && ofFreeSession(session)
  if (!payment) return { ok: false, reason: 'unpaid' }
  const item = session?.line_items?.data[0]
  const storeProductId = item?.price?.id ?? intent?.metadata[PRICE_KEY]
  if (!storeProductId) return { ok: false, reason: 'no_product' }
  return {
    ok: true,
    chainKey: payment.id,
    storeProductId,
    report: toReport(payment, storeProductId, item?.quantity ?? 1),
  }
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
