import type { TransactionKind } from '../../people/purchases/model'
import { isOrderId } from '../../stores/android/order'
import type { Store } from '../../stores/observation'

/** What a refund depends on. */
export interface RefundQuestion {
  store: Store
  chainKey: string
  /** The store's name of the charge. */
  storeTransactionId: string
  /** The charge's line; null when nobody paid here. */
  line: { kind: TransactionKind; amountMicros: number | null } | null
  isCurrent: boolean
  isGivenBack: boolean
}

/** What to ask of which store; `missing_store_ref`: there is no charge at a store that could be given back. */
export type RefundPlan =
  | { ok: true; store: 'PAYMENT'; isSubscription: boolean }
  | { ok: true; store: 'ANDROID_STORE'; revoke: boolean }
  | { ok: false; reason: 'ios_unsupported' | 'missing_store_ref' | 'already_refunded' }

/** Decides by what is known here; nothing has been sent to a store when it refuses (wire 5.13). */
export function planRefund(question: RefundQuestion): RefundPlan {
  const { store, chainKey, storeTransactionId, isCurrent, isGivenBack } = question
  if (store === 'IOS_STORE') return { ok: false, reason: 'ios_unsupported' }
  if (isGivenBack) return { ok: false, reason: 'already_refunded' }
  if (store === 'MANUAL' || !isCharged(question)) return { ok: false, reason: 'missing_store_ref' }
  // A subscription's charge is an invoice of it; a one-time payment is its own chain.
  if (store === 'PAYMENT') return { ok: true, store, isSubscription: storeTransactionId !== chainKey }
  if (!isOrderId(storeTransactionId)) return { ok: false, reason: 'missing_store_ref' }
  // Taking the rights ends the whole subscription, whichever period is given back.
  return { ok: true, store, revoke: isCurrent }
}

/** A price that is not known may have been paid. */
const isCharged = ({ line }: RefundQuestion): boolean =>
  line !== null && line.kind !== 'TRIAL' && line.amountMicros !== 0
