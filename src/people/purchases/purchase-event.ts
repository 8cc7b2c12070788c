import type { Money } from '../../base/lib/money'
import { toIsoOrNull } from '../../base/lib/time'
import { isTroubled } from '../../core/purchase/status'
import type { ExpiryReason } from '../../stores/observation'
import type { PurchaseState } from './model'
import { effectiveEnd } from './status'

export interface RefundData {
  refundedTransactionId: string | null
  /** Whether it is about the current transaction. */
  current: boolean
  /** Positive; null when the store did not give the amount. */
  refund: Money | null
}

/** Types of the events of a purchase and their `data` on the wire (5.9), without the member `transaction`. */
export interface PurchaseEventData {
  'purchase.initial': { offerId: string | null }
  'purchase.trial_started': { trialEndsAt: string | null }
  'purchase.trial_converted': Record<never, never>
  'purchase.renewed': { reactivation: boolean; late: boolean }
  'purchase.non_renewing': { quantity: number }
  'purchase.cancelled': { endsAt: string | null }
  'purchase.uncancelled': { endsAt: string | null }
  'purchase.billing_issue': { phase: 'GRACE' | 'RETRY' }
  'purchase.grace_period': { gracePeriodExpiresAt: string | null }
  'purchase.recovered': Record<never, never>
  'purchase.paused': { autoResumeAt: string | null }
  'purchase.resumed': { autoResumeAt: string | null }
  'purchase.expired': { reason: ExpiryReason }
  'purchase.refunded': RefundData
  'purchase.refund_reversed': RefundData
  'purchase.revoked': { reason: ExpiryReason }
  'purchase.product_changed': {
    fromProductId: string | null
    toProductId: string | null
    effective: 'NOW' | 'NEXT_PERIOD'
  }
  'purchase.charged': { kind: 'ADJUSTMENT' }
  'purchase.price_increase_consent': { state: 'PENDING' | 'ACCEPTED' | 'DECLINED' }
  'purchase.extended': { fromExpiresAt: string | null; toExpiresAt: string | null }
}

export type PurchaseEventType = keyof PurchaseEventData

/**
 * An event to write. `transactionKey` is the key of the money line that becomes `data.transaction`; each line belongs
 * to at most one event.
 */
export type PurchaseEvent = {
  [Type in PurchaseEventType]: { type: Type; data: PurchaseEventData[Type]; transactionKey: string | null }
}[PurchaseEventType]

export const trialStarted = ({ expiresAt }: PurchaseState, transactionKey: string | null): PurchaseEvent => ({
  type: 'purchase.trial_started',
  data: { trialEndsAt: toIsoOrNull(expiresAt) },
  transactionKey,
})

/** The event for a change to ACTIVE from a status where this change has its own type. */
export function activeAgain(
  { status, autoResumeAt }: PurchaseState,
  transactionKey: string | null,
): PurchaseEvent | null {
  if (status === 'TRIAL') return { type: 'purchase.trial_converted', data: {}, transactionKey }
  if (status === 'PAUSED') {
    return { type: 'purchase.resumed', data: { autoResumeAt: toIsoOrNull(autoResumeAt) }, transactionKey }
  }
  return isTroubled(status) ? { type: 'purchase.recovered', data: {}, transactionKey } : null
}

export const billingIssue = (phase: 'GRACE' | 'RETRY'): PurchaseEvent => ({
  type: 'purchase.billing_issue',
  data: { phase },
  transactionKey: null,
})

export const gracePeriod = ({ gracePeriodExpiresAt }: PurchaseState): PurchaseEvent => ({
  type: 'purchase.grace_period',
  data: { gracePeriodExpiresAt: toIsoOrNull(gracePeriodExpiresAt) },
  transactionKey: null,
})

export const paused = ({ autoResumeAt }: PurchaseState): PurchaseEvent => ({
  type: 'purchase.paused',
  data: { autoResumeAt: toIsoOrNull(autoResumeAt) },
  transactionKey: null,
})

export const expired = ({ expiryReason }: PurchaseState): PurchaseEvent => ({
  type: 'purchase.expired',
  data: { reason: expiryReason ?? 'UNKNOWN' },
  transactionKey: null,
})

export const extended = (before: PurchaseState, after: PurchaseState): PurchaseEvent => ({
  type: 'purchase.extended',
  data: { fromExpiresAt: toIsoOrNull(before.expiresAt), toExpiresAt: toIsoOrNull(after.expiresAt) },
  transactionKey: null,
})

export const autoRenewFlipped = (
  type: 'purchase.cancelled' | 'purchase.uncancelled',
  after: PurchaseState,
): PurchaseEvent => ({ type, data: { endsAt: toIsoOrNull(effectiveEnd(after)) }, transactionKey: null })
