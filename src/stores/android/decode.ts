import { Value } from '@sinclair/typebox/value'
import { countryCode } from '../../base/lib/countries'
import type { Money } from '../../base/lib/money'
import { accountTokenOf } from '../account-token'
import type { ExpiryReason, PriceAfter, PurchaseEnvironment, RenewalPart } from '../observation'
import { joinAndroidId, splitAndroidId } from './purchase-id'
import { type LineItem, SubscriptionResource } from './resource'
import { firstProblem, instantOf, type Malformed, malformed, moneyOf, textOf } from './values'

export type SubscriptionState = 'ACTIVE' | 'CANCELED' | 'IN_GRACE_PERIOD' | 'ON_HOLD' | 'PAUSED' | 'EXPIRED'

/**
 * What the current period of a line item costs, by its `offerPhase`. Null when the answer has no phase: `offerDetails`
 * names only base plan and offer, so it is unknown whether the period is free.
 */
export type OfferPhase = 'FREE_TRIAL' | 'INTRODUCTORY' | 'PRORATION' | 'BASE'

/** The account ids that the app passed to Google; svc did not make them. */
export interface StoreAccount {
  obfuscatedAccountId: string | null
  obfuscatedProfileId: string | null
}

/** One product of a subscription purchase that the buyer owns. Instants are milliseconds UTC. */
export interface SubscriptionItem {
  storeProductId: string
  /** The newest paid order; null when Google names none. */
  orderId: string | null
  /** End of the access: of the paid period, of a running grace period, or the instant of its removal. */
  expiresAt: number
  basePlanId: string | null
  offerId: string | null
  phase: OfferPhase | null
  /** False for a prepaid plan; null when Google names neither kind of plan. */
  autoRenews: boolean | null
  isPrepaid: boolean
  /** Before discounts and without taxes, in the buyer's region. */
  recurringPrice: Money | null
  /** The price that follows where Google names it: of an announced product, or a change of the price. */
  priceAfter: PriceAfter | null
  /** The product that replaces this one at the next renewal, with its base plan where the answer names it. */
  pendingStoreProductId: string | null
  /** Google's id of the item of the earlier purchase that this one replaced; null when the answer names none. */
  replacedProductId: string | null
  priceConsent: NonNullable<RenewalPart['priceConsent']> | null
}

/** A subscription purchase that was paid for. */
export interface AndroidSubscription {
  /** Identifies the purchase (wire 4.2). */
  purchaseToken: string
  state: SubscriptionState
  environment: PurchaseEnvironment
  startedAt: number
  /** The country of the storefront; null where Google does not name it. */
  country: string | null
  items: readonly SubscriptionItem[]
  /** The purchase that this one replaces: after an upgrade, a downgrade, a top-up, or a new sign-up before the end. */
  linkedPurchaseToken: string | null
  /** The expired purchase of the same product, when the buyer bought it again in the Play Store itself. */
  expiredPurchaseToken: string | null
  account: StoreAccount
  isAcknowledged: boolean
  autoResumeAt: number | null
  /** Why it ended, if it did. */
  endReason: ExpiryReason
}

export type SubscriptionResult =
  | { ok: true; subscription: AndroidSubscription }
  | { ok: false; reason: 'not_paid' }
  | Malformed

/**
 * Reads a SubscriptionPurchaseV2, Google's answer about the token. A pending purchase is refused, for nobody owns it
 * yet.
 */
export function decodeSubscription(resource: unknown, purchaseToken: string): SubscriptionResult {
  if (!Value.Check(SubscriptionResource, resource)) return malformed(firstProblem(SubscriptionResource, resource))
  if (UNPAID.has(resource.subscriptionState)) return { ok: false, reason: 'not_paid' }
  const state = stateOf(resource)
  // It is unknown whether a state that Google added later gives access. So the state on record stays, and Google's own
  // name for the new one is kept.
  if (!state) return malformed('subscriptionState')
  const startedAt = instantOf(resource.startTime)
  if (startedAt === null) return malformed('startTime')
  const owned = (resource.lineItems ?? []).filter((item) => isOwned(item, resource))
  const items = owned.map((item) => toItem(item, resource)).filter((item) => item !== null)
  // Without an end date it would count as a subscription that never ends.
  if (items.length === 0 || items.length < owned.length) return malformed('lineItems')
  return { ok: true, subscription: toSubscription(resource, purchaseToken, { state, startedAt, items }) }
}

const UNPAID = new Set(['SUBSCRIPTION_STATE_PENDING', 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED'])

/**
 * The item that sells the store product now or, after a deferred change, from the next renewal on; null when none does.
 */
export const itemFor = ({ items }: AndroidSubscription, storeProductId: string): SubscriptionItem | null =>
  items.find((item) => item.storeProductId === storeProductId) ??
  items.find(({ pendingStoreProductId: next }) => next && splitAndroidId(next).productId === storeProductId) ??
  null

/** False for the product that a later renewal will bring: it has no order yet. Older answers have no order of any item. */
function isOwned(item: LineItem, { lineItems }: SubscriptionResource): boolean {
  if (textOf(item.latestSuccessfulOrderId)) return true
  if (lineItems?.some((other) => textOf(other.latestSuccessfulOrderId))) return false
  const isDeferred = lineItems?.some(({ deferredItemReplacement: next }) => next?.productId === item.productId)
  return Boolean(item.expiryTime) && !isDeferred
}

/** The next product of an item. Of the items that are not owned yet, the one with its id names the base plan. */
function pendingIdOf(item: LineItem, resource: SubscriptionResource): string | null {
  const productId = textOf(item.deferredItemReplacement?.productId)
  return productId && joinAndroidId(productId, textOf(comingItem(item, resource)?.offerDetails?.basePlanId))
}

function comingItem({ deferredItemReplacement: next }: LineItem, resource: SubscriptionResource): LineItem | null {
  const isNext = (other: LineItem) => other.productId === next?.productId && !isOwned(other, resource)
  return resource.lineItems?.find(isNext) ?? null
}

function priceAfterOf(item: LineItem, resource: SubscriptionResource, expiresAt: number): PriceAfter | null {
  const { newPrice, priceChangeState, expectedNewPriceChargeTime } = item.autoRenewingPlan?.priceChangeDetails ?? {}
  const coming = moneyOf(comingItem(item, resource)?.autoRenewingPlan?.recurringPrice)
  if (coming) return { price: coming, from: expiresAt }
  const price = priceChangeState === 'APPLIED' || priceChangeState === 'CANCELED' ? null : moneyOf(newPrice)
  return price && { price, from: instantOf(expectedNewPriceChargeTime) ?? expiresAt }
}

function toItem(item: LineItem, resource: SubscriptionResource): SubscriptionItem | null {
  const { autoRenewingPlan: plan, offerDetails: offer } = item
  const expiresAt = instantOf(item.expiryTime)
  const isPrepaid = Boolean(item.prepaidPlan)
  if (expiresAt === null) return null
  return {
    storeProductId: item.productId,
    orderId: textOf(item.latestSuccessfulOrderId) ?? textOf(resource.latestOrderId),
    expiresAt,
    basePlanId: textOf(offer?.basePlanId),
    offerId: textOf(offer?.offerId),
    phase: phaseOf(item),
    autoRenews: renewsOf(item),
    isPrepaid,
    recurringPrice: moneyOf(plan?.recurringPrice),
    priceAfter: priceAfterOf(item, resource, expiresAt),
    pendingStoreProductId: pendingIdOf(item, resource),
    replacedProductId: textOf(item.itemReplacement?.productId),
    priceConsent: consentOf(plan),
  }
}

/** An item that was removed from the subscription stays until its paid period ends. */
function renewsOf({ autoRenewingPlan: plan, prepaidPlan, deferredItemRemoval }: LineItem): boolean | null {
  if (plan) return plan.autoRenewEnabled === true && !deferredItemRemoval
  return prepaidPlan ? false : null
}

function phaseOf({ offerPhase }: LineItem): OfferPhase | null {
  if (offerPhase?.freeTrial) return 'FREE_TRIAL'
  if (offerPhase?.introductoryPrice) return 'INTRODUCTORY'
  if (offerPhase?.prorationPeriod) return 'PRORATION'
  return offerPhase?.basePrice ? 'BASE' : null
}

/** Only an increase that the buyer must accept needs consent; once it is applied nothing is pending. */
function consentOf(plan: LineItem['autoRenewingPlan']): SubscriptionItem['priceConsent'] {
  const { priceChangeMode, priceChangeState } = plan?.priceChangeDetails ?? {}
  const asked =
    plan?.priceStepUpConsentDetails?.state ?? (priceChangeMode === 'PRICE_INCREASE' ? priceChangeState : null)
  if (asked === 'PENDING' || asked === 'OUTSTANDING') return 'PENDING'
  return asked === 'CONFIRMED' ? 'ACCEPTED' : null
}

const STATES: readonly SubscriptionState[] = ['ACTIVE', 'CANCELED', 'IN_GRACE_PERIOD', 'ON_HOLD', 'PAUSED', 'EXPIRED']

const stateOf = ({ subscriptionState }: SubscriptionResource): SubscriptionState | undefined =>
  STATES.find((state) => subscriptionState === `SUBSCRIPTION_STATE_${state}`)

function toSubscription(
  resource: SubscriptionResource,
  purchaseToken: string,
  read: Pick<AndroidSubscription, 'state' | 'startedAt' | 'items'>,
): AndroidSubscription {
  const ids = resource.externalAccountIdentifiers
  return {
    ...read,
    purchaseToken,
    environment: resource.testPurchase ? 'SANDBOX' : 'PRODUCTION',
    linkedPurchaseToken: textOf(resource.linkedPurchaseToken),
    expiredPurchaseToken: textOf(resource.outOfAppPurchaseContext?.expiredPurchaseToken),
    account: {
      obfuscatedAccountId: accountTokenOf(textOf(ids?.obfuscatedExternalAccountId)),
      obfuscatedProfileId: textOf(ids?.obfuscatedExternalProfileId),
    },
    isAcknowledged: resource.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED',
    country: countryCode(textOf(resource.regionCode) ?? ''),
    autoResumeAt: instantOf(resource.pausedStateContext?.autoResumeTime),
    endReason: endReasonOf(resource, read.items),
  }
}

function endReasonOf(
  { canceledStateContext: context }: SubscriptionResource,
  items: readonly SubscriptionItem[],
): ExpiryReason {
  if (context?.replacementCancellation) return 'REPLACED'
  if (context?.userInitiatedCancellation) return 'UNSUBSCRIBED'
  if (context?.developerInitiatedCancellation) return 'DEVELOPER'
  // A price increase that the buyer did not accept also ends the subscription.
  const isPriceAsked = items.some(({ priceConsent }) => priceConsent === 'PENDING')
  if (context?.systemInitiatedCancellation) return isPriceAsked ? 'PRICE_INCREASE' : 'BILLING_ERROR'
  // A prepaid plan ends when the buyer does not top it up.
  return items.every(({ isPrepaid }) => isPrepaid) ? 'UNSUBSCRIBED' : 'UNKNOWN'
}
