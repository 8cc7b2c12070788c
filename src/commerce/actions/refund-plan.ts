import type { TransactionKind } from '../../people/purchases/model'
import { isOrderId } from '../../stores/android/order'
import type { Store } from '../../stores/observation'

/** The facts on which the decision about a refund depends. */
export interface RefundQuestion {
  store: Store
  chainKey: string
  /** The store's id of the charge. */
  storeTransactionId: string
  /** The charge's transaction; null when no payment is recorded here. */
  line: { kind: TransactionKind; amountMicros: number | null } | null
  isCurrent: boolean
  isGivenBack: boolean
  /** Whether a refund of its whole order concerns other lines too, at Google. */
  hasOthers: boolean
  /** The product of the line at Google, where the store can take back this item of a subscription alone. */
  item: string | null
  /** Whether the caller means the whole order. */
  wholeOrder: boolean
}

/**
 * Which store to ask, and for what. `item`: only this product of a subscription. `missing_store_ref`: no store has a charge
 * that it could refund. `whole_order`: the store refunds it only together with other lines, and the caller meant one.
 */
export type RefundPlan =
  | { ok: true; store: 'PAYMENT'; isSubscription: boolean }
  | { ok: true; store: 'ANDROID_STORE'; revoke: boolean; item: string | null }
  | { ok: false; reason: 'ios_unsupported' | 'missing_store_ref' | 'already_refunded' | 'whole_order' }

/** Decides from the stored data alone. When it refuses, nothing was sent to a store (wire 5.13). */
export function planRefund(question: RefundQuestion): RefundPlan {
  const { store, chainKey, storeTransactionId, isCurrent, isGivenBack, hasOthers, item, wholeOrder } = question
  if (store === 'IOS_STORE') return { ok: false, reason: 'ios_unsupported' }
  if (isGivenBack) return { ok: false, reason: 'already_refunded' }
  if (store === 'MANUAL' || !isCharged(question)) return { ok: false, reason: 'missing_store_ref' }
  // A charge of a subscription is one of its invoices. A one-time payment has the same id as its chain.
  if (store === 'PAYMENT') return { ok: true, store, isSubscription: storeTransactionId !== chainKey }
  if (!isOrderId(storeTransactionId)) return { ok: false, reason: 'missing_store_ref' }
  // Revoking ends the whole subscription, so only a refund of the current period may do it.
  if (!hasOthers || wholeOrder) return { ok: true, store, revoke: isCurrent, item: null }
  return item === null ? { ok: false, reason: 'whole_order' } : { ok: true, store, revoke: true, item }
}

/** When the price is not known, a payment is assumed. */
const isCharged = ({ line }: RefundQuestion): boolean =>
  line !== null && line.kind !== 'TRIAL' && line.amountMicros !== 0
