import { givesAccess, type PurchaseStatus } from '../../core/purchase/status'
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

type Rule = (event: FormatEvent) => readonly Equivalent[]

/** A rule for an event of a purchase. */
const ofPurchase =
  (rule: (images: PurchaseImages, data: Record<string, unknown>) => readonly Equivalent[]): Rule =>
  (event) => {
    const images = purchaseImages(event)
    return images ? rule(images, event.data) : []
  }

const always = (equivalent: Equivalent): Rule => ofPurchase(() => [equivalent])

const cancelled = (reason: Reason): Equivalent => ({ type: 'CANCELLATION', reason })
const expired = (reason: Reason): Equivalent => ({ type: 'EXPIRATION', reason })

const isGrant = ({ after }: PurchaseImages): boolean => after.store === 'MANUAL'

const renewal = ({ before, after }: PurchaseImages): Equivalent => ({
  type: 'RENEWAL',
  isTrialConversion: before?.isTrial === true && !after.isTrial,
})

/** The status before, if it belongs to the same period: a new period starts with access, which was reported. */
const statusBefore = ({ before, after }: PurchaseImages): PurchaseStatus | null =>
  before?.storeTransactionId === after.storeTransactionId ? before.status : null

/** Whether the receiver already got the event that this period gives no access. */
const isEndTold = (images: PurchaseImages): boolean => {
  const status = statusBefore(images)
  return status !== null && !givesAccess(status)
}

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
  'purchase.initial': ofPurchase((images) => [
    isGrant(images) ? { type: 'NON_RENEWING_PURCHASE' } : { type: 'INITIAL_PURCHASE' },
  ]),
  'purchase.trial_started': always({ type: 'INITIAL_PURCHASE' }),
  'purchase.trial_converted': always({ type: 'RENEWAL', isTrialConversion: true }),
  'purchase.renewed': ofPurchase((images, { reactivation }) => {
    const isAnew = images.before === null || (reactivation === true && images.after.store === 'ANDROID_STORE')
    return [isAnew ? { type: 'INITIAL_PURCHASE' } : renewal(images)]
  }),
  'purchase.non_renewing': always({ type: 'NON_RENEWING_PURCHASE' }),
  'purchase.cancelled': ofPurchase((images) => [cancelled(isGrant(images) ? 'DEVELOPER_INITIATED' : 'UNSUBSCRIBE')]),
  'purchase.uncancelled': always({ type: 'UNCANCELLATION' }),
  'purchase.billing_issue': ofPurchase(billingIssue),
  'purchase.grace_period': ofPurchase(lateGracePeriod),
  'purchase.recovered': ofPurchase((images) => [renewal(images)]),
  'purchase.paused': always(expired('SUBSCRIPTION_PAUSED')),
  'purchase.resumed': ofPurchase((images) => [renewal(images)]),
  'purchase.expired': ofPurchase(expiration),
  'purchase.refunded': ofPurchase(refund),
  'purchase.refund_reversed': always({ type: 'REFUND_REVERSED' }),
  'purchase.revoked': ofPurchase((images) =>
    isGrant(images) ? [cancelled('DEVELOPER_INITIATED'), expired('DEVELOPER_INITIATED')] : [expired('UNKNOWN')],
  ),
  'purchase.product_changed': ofPurchase(productChange),
  'purchase.price_increase_consent': ofPurchase((_images, { state }) => consent(state)),
  'purchase.extended': always({ type: 'SUBSCRIPTION_EXTENDED' }),
  'subscriber.transferred': transfer,
  'currency.transaction': currency,
  'experiment.exposed': (event) => (event.data.experimentId === undefined ? [] : [{ type: 'EXPERIMENT_ENROLLMENT' }]),
  'funnel.claimed': (event) => (event.data.fromSubscriberId === undefined ? [] : [{ type: 'PURCHASE_REDEEMED' }]),
}

/** The event that a test of an endpoint sends. It is in no feed. */
const TEST_TYPE = 'webhook.test'

/** Whether some events of a type have an equivalent. */
export const hasEquivalent = (type: string): boolean => type === TEST_TYPE || Object.hasOwn(RULES, type)

/** What the vendor would send for an event, in its order; mostly one or nothing. Decided by the event alone. */
export const equivalentsOf = (event: FormatEvent): readonly Equivalent[] =>
  Object.hasOwn(RULES, event.type) ? (RULES[event.type]?.(event) ?? []) : []

/**
 * The vendor tells the first trouble by BILLING_ISSUE and CANCELLATION together, and the end of access by EXPIRATION:
 * at once when there is no grace period, else at its end. In the phase RETRY access is over.
 */
function billingIssue(images: PurchaseImages, { phase }: Record<string, unknown>): Equivalent[] {
  const end = expired('BILLING_ERROR')
  if (phase === 'RETRY' && statusBefore(images) === 'GRACE_PERIOD') return [end]
  const trouble: Equivalent[] = [{ type: 'BILLING_ISSUE' }, cancelled('BILLING_ERROR')]
  return phase === 'RETRY' ? [...trouble, end] : trouble
}

/** A grace period that is reported after the end of access gives access again, and only this event has it. */
function lateGracePeriod(images: PurchaseImages): Equivalent[] {
  return statusBefore(images) === 'BILLING_RETRY' ? [{ type: 'BILLING_ISSUE' }] : []
}

/** The end of a paused purchase, and of one with a failed charge, was reported when access ended. */
function expiration(images: PurchaseImages, { reason }: Record<string, unknown>): Equivalent[] {
  const status = statusBefore(images)
  if (status === 'PAUSED' || status === 'BILLING_RETRY') return []
  const known = END_REASONS[reason as ExpiryReason] // Our own code wrote it; a later release may know more reasons.
  return known === null ? [] : [expired(known ?? 'UNKNOWN')]
}

/** The vendor tells only a refund of the current period. A refund of a part leaves the access. */
function refund(images: PurchaseImages, { current }: Record<string, unknown>): Equivalent[] {
  if (current !== true) return []
  const isEnd = images.after.status === 'REFUNDED' && !isEndTold(images)
  return [cancelled('CUSTOMER_SUPPORT'), ...(isEnd ? [expired('CUSTOMER_SUPPORT')] : [])]
}

/** A choice that was taken back names the present product as the next one. The vendor does not tell it. */
function productChange(images: PurchaseImages, data: Record<string, unknown>): Equivalent[] {
  const isTakenBack = data.effective === 'NEXT_PERIOD' && data.toProductId === images.after.productId
  if (isTakenBack) return []
  const isAlone = data.effective === 'NOW' && !isPeriodTold(images)
  return [{ type: 'PRODUCT_CHANGE' }, ...(isAlone ? [renewal(images)] : [])]
}

/** Whether another event of the same change tells the period with the new product. Then that one has the charge. */
function isPeriodTold({ before, after, transaction }: PurchaseImages): boolean {
  if (before === null) return true
  const isSamePeriod = before.storeTransactionId === after.storeTransactionId
  const isTrialStill = before.status === 'TRIAL' && after.isTrial
  return !isSamePeriod && !isTrialStill && transaction === null
}

/** Only the side that gets purchases has an event; a merge of people who bought nothing is no transfer of the vendor. */
function transfer(event: FormatEvent): Equivalent[] {
  const { role, purchaseIds = [] } = dataOf<TransferData>(event)
  return role === 'TO' && purchaseIds.length > 0 ? [{ type: 'TRANSFER' }] : []
}

function consent(state: unknown): Equivalent[] {
  if (state === 'PENDING') return [{ type: 'PRICE_INCREASE_CONSENT_REQUIRED' }]
  return state === 'ACCEPTED' ? [{ type: 'PRICE_INCREASE_CONSENT_APPROVED' }] : []
}

/** What a person of the dashboard or of the command line booked counts as booked by hand; what a server did does not. */
function currency(event: FormatEvent): Equivalent[] {
  const type = 'VIRTUAL_CURRENCY_TRANSACTION'
  const { ledgerType } = dataOf<CurrencyData>(event)
  if (ledgerType === 'PURCHASE' || ledgerType === 'REFUND') return [{ type, source: 'in_app_purchase' }]
  const isByHand = event.cause.kind === 'DASHBOARD' || event.cause.kind === 'CLI'
  return isByHand && (ledgerType === 'BONUS' || ledgerType === 'SPEND') ? [{ type, source: 'admin_api' }] : []
}
