import type { ExpiryReason } from '../../stores/observation'
import {
  type CurrencyData,
  dataOf,
  type FormatEvent,
  type PurchaseImages,
  purchaseImages,
  type TransferData,
} from './event'

export type LifecycleType =
  | 'INITIAL_PURCHASE'
  | 'RENEWAL'
  | 'CANCELLATION'
  | 'UNCANCELLATION'
  | 'NON_RENEWING_PURCHASE'
  | 'EXPIRATION'
  | 'BILLING_ISSUE'
  | 'PRODUCT_CHANGE'
  | 'SUBSCRIPTION_EXTENDED'
  | 'REFUND_REVERSED'

export type ConsentType = 'PRICE_INCREASE_CONSENT_REQUIRED' | 'PRICE_INCREASE_CONSENT_APPROVED'

export type Reason =
  | 'UNSUBSCRIBE'
  | 'BILLING_ERROR'
  | 'DEVELOPER_INITIATED'
  | 'PRICE_INCREASE'
  | 'CUSTOMER_SUPPORT'
  | 'SUBSCRIPTION_PAUSED'
  | 'UNKNOWN'

/** What the vendor would send for an event. `reason` belongs to CANCELLATION and to EXPIRATION. */
export type Equivalent =
  | { type: 'CANCELLATION' | 'EXPIRATION'; reason: Reason }
  | { type: 'RENEWAL'; isTrialConversion: boolean }
  | { type: Exclude<LifecycleType, 'CANCELLATION' | 'EXPIRATION' | 'RENEWAL'> }
  | { type: ConsentType }
  | { type: 'VIRTUAL_CURRENCY_TRANSACTION'; source: 'in_app_purchase' | 'admin_api' }
  | { type: 'TRANSFER' }
  | { type: 'EXPERIMENT_ENROLLMENT' }
  | { type: 'PURCHASE_REDEEMED' }

type Rule = (event: FormatEvent) => Equivalent | null

/** A rule for an event of a purchase. */
const ofPurchase =
  (rule: (images: PurchaseImages, data: Record<string, unknown>) => Equivalent | null): Rule =>
  (event) => {
    const images = purchaseImages(event)
    return images && rule(images, event.data)
  }

const always = (equivalent: Equivalent): Rule => ofPurchase(() => equivalent)

const cancelled = (reason: Reason): Equivalent => ({ type: 'CANCELLATION', reason })
const expired = (reason: Reason): Equivalent => ({ type: 'EXPIRATION', reason })

const isGrant = ({ after }: PurchaseImages): boolean => after.store === 'MANUAL'

const renewal = ({ before }: PurchaseImages): Equivalent => ({
  type: 'RENEWAL',
  isTrialConversion: before?.isTrial ?? false,
})

/** The vendor's reason for our reason of an end; null where the vendor tells the end by another event. */
const END_REASONS: Record<ExpiryReason, Reason | null> = {
  UNSUBSCRIBED: 'UNSUBSCRIBE',
  BILLING_ERROR: 'BILLING_ERROR',
  PRICE_INCREASE: 'PRICE_INCREASE',
  DEVELOPER: 'DEVELOPER_INITIATED',
  PAUSED: 'SUBSCRIPTION_PAUSED',
  PRODUCT_UNAVAILABLE: 'UNKNOWN',
  UNKNOWN: 'UNKNOWN',
  REPLACED: null,
}

/** The types without a row have no equivalent. */
const RULES: Readonly<Record<string, Rule>> = {
  'purchase.initial': ofPurchase((images) =>
    isGrant(images) ? { type: 'NON_RENEWING_PURCHASE' } : { type: 'INITIAL_PURCHASE' },
  ),
  'purchase.trial_started': always({ type: 'INITIAL_PURCHASE' }),
  'purchase.trial_converted': always({ type: 'RENEWAL', isTrialConversion: true }),
  'purchase.renewed': ofPurchase((images, { reactivation }) => {
    const isAnew = images.before === null || (reactivation === true && images.after.store === 'ANDROID_STORE')
    return isAnew ? { type: 'INITIAL_PURCHASE' } : renewal(images)
  }),
  'purchase.non_renewing': always({ type: 'NON_RENEWING_PURCHASE' }),
  'purchase.cancelled': ofPurchase((images) => cancelled(isGrant(images) ? 'DEVELOPER_INITIATED' : 'UNSUBSCRIBE')),
  'purchase.uncancelled': always({ type: 'UNCANCELLATION' }),
  'purchase.billing_issue': ofPurchase(billingIssue),
  'purchase.recovered': ofPurchase(renewal),
  'purchase.paused': always(expired('SUBSCRIPTION_PAUSED')),
  'purchase.resumed': ofPurchase(renewal),
  'purchase.expired': ofPurchase(expiration),
  'purchase.refunded': ofPurchase((_images, { current }) => (current === true ? cancelled('CUSTOMER_SUPPORT') : null)),
  'purchase.refund_reversed': always({ type: 'REFUND_REVERSED' }),
  'purchase.revoked': ofPurchase((images) => (isGrant(images) ? cancelled('DEVELOPER_INITIATED') : expired('UNKNOWN'))),
  'purchase.product_changed': ofPurchase(productChange),
  'purchase.price_increase_consent': ofPurchase((_images, { state }) => consent(state)),
  'purchase.extended': always({ type: 'SUBSCRIPTION_EXTENDED' }),
  'subscriber.transferred': (event) => (dataOf<TransferData>(event).role === 'TO' ? { type: 'TRANSFER' } : null),
  'currency.transaction': currency,
  'experiment.exposed': (event) => (event.data.experimentId === undefined ? null : { type: 'EXPERIMENT_ENROLLMENT' }),
  'funnel.claimed': (event) => (event.data.fromSubscriberId === undefined ? null : { type: 'PURCHASE_REDEEMED' }),
}

/** The event that a test of an endpoint sends. It is in no feed. */
const TEST_TYPE = 'webhook.test'

/** Whether some events of a type have an equivalent. */
export const hasEquivalent = (type: string): boolean => type === TEST_TYPE || Object.hasOwn(RULES, type)

/** What the vendor would send for an event; null when it would send nothing. Decided by the event alone. */
export const equivalentOf = (event: FormatEvent): Equivalent | null =>
  Object.hasOwn(RULES, event.type) ? (RULES[event.type]?.(event) ?? null) : null

/** The vendor tells the first trouble by BILLING_ISSUE, and the end of the grace period by EXPIRATION. */
function billingIssue({ before }: PurchaseImages, { phase }: Record<string, unknown>): Equivalent {
  const isGraceOver = phase === 'RETRY' && before?.status === 'GRACE_PERIOD'
  return isGraceOver ? expired('BILLING_ERROR') : { type: 'BILLING_ISSUE' }
}

/**
 * The end of a paused purchase, and of one that had a grace period, was told when access ended. Without a grace period
 * the receiver got BILLING_ISSUE at that instant, so the end is told now.
 */
function expiration({ before }: PurchaseImages, { reason }: Record<string, unknown>): Equivalent | null {
  if (before?.status === 'PAUSED') return null
  if (before?.status === 'BILLING_RETRY' && before.gracePeriodExpiresAt !== null) return null
  const known = END_REASONS[reason as ExpiryReason] // Our own code wrote it; a later release may know more reasons.
  if (known === null) return null
  return expired(known ?? 'UNKNOWN')
}

/** A choice that was taken back names the present product as the next one. The vendor does not tell it. */
function productChange({ after }: PurchaseImages, data: Record<string, unknown>): Equivalent | null {
  const isTakenBack = data.effective === 'NEXT_PERIOD' && data.toProductId === after.productId
  return isTakenBack ? null : { type: 'PRODUCT_CHANGE' }
}

function consent(state: unknown): Equivalent | null {
  if (state === 'PENDING') return { type: 'PRICE_INCREASE_CONSENT_REQUIRED' }
  return state === 'ACCEPTED' ? { type: 'PRICE_INCREASE_CONSENT_APPROVED' } : null
}

/** What a person of the dashboard or of the command line booked counts as booked by hand; what a server did does not. */
function currency(event: FormatEvent): Equivalent | null {
  const type = 'VIRTUAL_CURRENCY_TRANSACTION'
  const { ledgerType } = dataOf<CurrencyData>(event)
  if (ledgerType === 'PURCHASE' || ledgerType === 'REFUND') return { type, source: 'in_app_purchase' }
  const isByHand = event.cause.kind === 'DASHBOARD' || event.cause.kind === 'CLI'
  return isByHand && (ledgerType === 'BONUS' || ledgerType === 'SPEND') ? { type, source: 'admin_api' } : null
}
