import type { androidpublisher_v3 } from 'googleapis/build/src/apis/androidpublisher'
import type { Money } from '../../base/lib/money'
import { addPeriod } from '../../base/lib/period'
import { toIso } from '../../base/lib/time'

type Resource = androidpublisher_v3.Schema$SubscriptionPurchaseV2
export type Item = androidpublisher_v3.Schema$SubscriptionPurchaseLineItem
type Product = androidpublisher_v3.Schema$ProductPurchaseV2

/** A base plan at Google Play; periods are ISO 8601. */
export interface SimulatedPlan {
  productId: string
  basePlanId: string
  period: string
  price: Money
  /** Length of the free trial with which an offer of the plan starts. */
  trialPeriod?: string
  /** The buyer pays in advance and tops it up; only the order has its price. */
  isPrepaid?: boolean
  /** The payments that the buyer has committed to. */
  commitment?: Pick<androidpublisher_v3.Schema$AutoRenewingPlan, 'installmentDetails'>
}

/** A subscription purchase in the memory of the stand-in, with the resource that the API answers. */
export interface PlaySubscription {
  token: string
  plan: SimulatedPlan
  /** The first order. */
  orderId: string
  renewals: number
  /** End of the last period that was paid or free. */
  paidUntil: number
  resource: Resource
}

export interface SimulatedSubscribe {
  token: string
  orderId: string
  plan: SimulatedPlan
  now: number
  withTrial?: boolean
  isTest?: boolean
  linkedToken?: string
  accountId?: string
  /** Starts after the rest of an earlier purchase. */
  after?: number
  /** What a change of plan costs for the rest of the period, in which the purchase starts. */
  prorated?: Money
  /** End of that rest; absent = a period after the change. */
  until?: number
  /** Plans that the buyer adds to the first one. Each is an item of its own, and one order pays for all. */
  addons?: readonly SimulatedPlan[]
}

/** A customer subscribes, or changes from another plan (`linkedToken`). */
export function subscribed(order: SimulatedSubscribe): PlaySubscription {
  const { token, orderId, plan, now, linkedToken, accountId, after = now } = order
  const trialPeriod = order.withTrial ? plan.trialPeriod : undefined
  const paidUntil = order.until ?? addPeriod(Math.max(now, after), trialPeriod ?? plan.period)
  const resource = {
    kind: 'androidpublisher#subscriptionPurchaseV2',
    regionCode: 'US',
    startTime: toIso(now),
    subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE',
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
    lineItems: [
      {
        ...firstItem(plan, orderId, paidUntil, trialPeriod !== undefined),
        ...(order.prorated ? { offerPhase: { prorationPeriod: {} } } : {}),
      },
      ...(order.addons ?? []).map((addon) => firstItem(addon, orderId, paidUntil, false)),
    ],
    ...(linkedToken === undefined ? {} : { linkedPurchaseToken: linkedToken }),
    ...(accountId === undefined ? {} : { externalAccountIdentifiers: { obfuscatedExternalAccountId: accountId } }),
    ...(order.isTest ? { testPurchase: {} } : {}),
  } satisfies Resource
  return { token, plan, orderId, renewals: 0, paidUntil, resource }
}

/** The payment of the purchase is pending: it has no owner yet. */
export const pending = (subscription: PlaySubscription): PlaySubscription => {
  const { startTime: _, ...resource } = subscription.resource
  return { ...subscription, resource: { ...resource, subscriptionState: 'SUBSCRIPTION_STATE_PENDING' } }
}

/** The payment arrived: the purchase starts now. */
export const paid = ({ token, orderId, plan, resource }: PlaySubscription, now: number): PlaySubscription => {
  const { linkedPurchaseToken: linkedToken } = resource
  return subscribed({ token, orderId, plan, now, ...(linkedToken ? { linkedToken } : {}) })
}

/** The payment will never arrive. */
export const givenUp = (subscription: PlaySubscription): PlaySubscription => ({
  ...subscription,
  resource: { ...subscription.resource, subscriptionState: 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED' },
})

/** The next charge. On time and in a grace period it starts at the last period's end, after a hold or a pause now. */
export function renewed(subscription: PlaySubscription, now: number): PlaySubscription {
  const { plan, paidUntil, orderId, renewals, resource } = subscription
  const isLate = ['SUBSCRIPTION_STATE_ON_HOLD', 'SUBSCRIPTION_STATE_PAUSED'].includes(resource.subscriptionState ?? '')
  const end = addPeriod(isLate ? now : paidUntil, plan.period)
  const item: Item = {
    expiryTime: toIso(end),
    latestSuccessfulOrderId: `${orderId}..${renewals}`,
    offerPhase: { basePrice: {} },
  }
  const next = { ...inState(withNextItems(subscription), 'ACTIVE', item), renewals: renewals + 1, paidUntil: end }
  return plan.isPrepaid ? next : { ...next, plan: planOf(next) }
}

/** The items of the next period: without those that were removed, and with those that were announced. */
function withNextItems(subscription: PlaySubscription): PlaySubscription {
  const { lineItems = [] } = subscription.resource
  const kept = lineItems.filter((item) => !item.deferredItemRemoval && !item.deferredItemReplacement)
  return { ...subscription, resource: { ...subscription.resource, lineItems: kept } }
}

/** The plan of the first item, which the next period of the simulated life is about. */
function planOf(subscription: PlaySubscription): SimulatedPlan {
  const { productId, offerDetails } = itemOf(subscription)
  const named = { productId: productId ?? '', basePlanId: offerDetails?.basePlanId ?? '' }
  return { ...subscription.plan, ...named }
}

/** The buyer adds a plan, which has an order of its own and the dates of the others. */
export function itemAdded(subscription: PlaySubscription, plan: SimulatedPlan, orderId: string): PlaySubscription {
  const { resource, paidUntil } = subscription
  const lineItems = [...(resource.lineItems ?? []), firstItem(plan, orderId, paidUntil, false)]
  return { ...subscription, resource: { ...resource, lineItems } }
}

/** The buyer removes a plan, which stays until the end of what is paid. */
export const itemRemoved = (subscription: PlaySubscription, productId: string): PlaySubscription =>
  withItems(subscription, (item) => (item.productId === productId ? { ...item, deferredItemRemoval: {} } : item))

/** Another plan comes in the place of one with the next charge. */
export function itemDeferred(subscription: PlaySubscription, productId: string, plan: SimulatedPlan): PlaySubscription {
  const marked = withItems(subscription, (item) =>
    item.productId === productId ? { ...item, deferredItemReplacement: { productId: plan.productId } } : item,
  )
  const { latestSuccessfulOrderId: _, ...coming } = firstItem(plan, '', subscription.paidUntil, false)
  return { ...marked, resource: { ...marked.resource, lineItems: [...(marked.resource.lineItems ?? []), coming] } }
}

export const cancelled = (subscription: PlaySubscription, now: number): PlaySubscription =>
  inState(withAutoRenew(subscription, false), 'CANCELED', {}, byUser(now))

export const restarted = (subscription: PlaySubscription): PlaySubscription =>
  inState(withAutoRenew(subscription, true), 'ACTIVE', {})

/** The charge failed: Google sets the end to that of the grace period. */
export const inGrace = (subscription: PlaySubscription, graceUntil: number): PlaySubscription =>
  inState(
    subscription,
    'IN_GRACE_PERIOD',
    { expiryTime: toIso(graceUntil) },
    declined('inGracePeriodStateContext', subscription),
  )

export const onHold = (subscription: PlaySubscription): PlaySubscription =>
  inState(subscription, 'ON_HOLD', {}, declined('onHoldStateContext', subscription))

/** Pauses the subscription at the end of the paid period. */
export const paused = (subscription: PlaySubscription, resumeAt: number): PlaySubscription =>
  inState(subscription, 'PAUSED', {}, { pausedStateContext: { autoResumeTime: toIso(resumeAt) } })

/** The developer extends the period without a charge. */
export const deferred = (subscription: PlaySubscription, until: number): PlaySubscription => ({
  ...inState(subscription, null, { expiryTime: toIso(until) }),
  paidUntil: until,
})

/** The subscription ends: the buyer had cancelled, or Google could not charge; a prepaid plan has no such reason. */
export function expired(subscription: PlaySubscription): PlaySubscription {
  const usual = subscription.plan.isPrepaid ? {} : { canceledStateContext: { systemInitiatedCancellation: {} } }
  const { canceledStateContext: context } = subscription.resource
  return inState(withAutoRenew(subscription, false), 'EXPIRED', {}, context ? { canceledStateContext: context } : usual)
}

export const replaced = (subscription: PlaySubscription, now: number): PlaySubscription =>
  endedNow(subscription, now, { replacementCancellation: {} })

export const revoked = (subscription: PlaySubscription, now: number): PlaySubscription =>
  endedNow(subscription, now, { developerInitiatedCancellation: {} })

/** Google asks the buyer to accept a higher price. */
export function priceRaised(
  subscription: PlaySubscription,
  price: Money,
  state: 'OUTSTANDING' | 'CONFIRMED',
): PlaySubscription {
  const { autoRenewingPlan } = itemOf(subscription)
  const priceChangeDetails = { newPrice: toMoney(price), priceChangeMode: 'PRICE_INCREASE', priceChangeState: state }
  return withFirst(subscription, { autoRenewingPlan: { ...autoRenewingPlan, priceChangeDetails } })
}

/** The accepted price is in force: the plan costs that much from now on. */
export function repriced(subscription: PlaySubscription, price: Money): PlaySubscription {
  const { priceChangeDetails: _, ...plan } = itemOf(subscription).autoRenewingPlan ?? {}
  const priced = { ...subscription, plan: { ...subscription.plan, price } }
  return withFirst(priced, { autoRenewingPlan: { ...plan, recurringPrice: toMoney(price) } })
}

/** The buyer's answer to a price change; null when there is no price change. */
export const priceChangeOf = (subscription: PlaySubscription): string | null =>
  itemOf(subscription).autoRenewingPlan?.priceChangeDetails?.priceChangeState ?? null

export const stateNameOf = ({ resource }: PlaySubscription): string =>
  (resource.subscriptionState ?? '').replace('SUBSCRIPTION_STATE_', '')

/** End of the access in Google's answer. */
export const endOf = (subscription: PlaySubscription): number =>
  Date.parse(itemOf(subscription).expiryTime ?? '') || subscription.paidUntil

/** The same subscription with each date changed by `move`: the end, the end of the paid period, the end of a pause. */
export function withDates(subscription: PlaySubscription, move: (at: number) => number): PlaySubscription {
  const { pausedStateContext: pause } = subscription.resource
  const resumeAt = pause?.autoResumeTime ? Date.parse(pause.autoResumeTime) : null
  const moved = inState(subscription, null, { expiryTime: toIso(move(endOf(subscription))) })
  const resource =
    resumeAt === null
      ? moved.resource
      : { ...moved.resource, pausedStateContext: { autoResumeTime: toIso(move(resumeAt)) } }
  return { ...moved, resource, paidUntil: move(subscription.paidUntil) }
}

/** When a pause ends by itself; null when the subscription is not paused. */
export function resumesAt({ resource }: PlaySubscription): number | null {
  const time = resource.pausedStateContext?.autoResumeTime
  return time ? Date.parse(time) : null
}

export const acknowledged = (subscription: PlaySubscription): PlaySubscription => ({
  ...subscription,
  resource: { ...subscription.resource, acknowledgementState: 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED' },
})

/** The newest paid order. */
export const currentOrder = (subscription: PlaySubscription): string =>
  itemOf(subscription).latestSuccessfulOrderId ?? subscription.orderId

/** A one-time purchase in the memory of the stand-in. */
export interface PlayProduct {
  token: string
  resource: Product
}

export interface SimulatedBuy {
  token: string
  orderId: string
  productId: string
  now: number
  quantity?: number
  isTest?: boolean
  accountId?: string
  /** Other products of the same order. */
  others?: readonly string[]
}

export function bought(order: SimulatedBuy): PlayProduct {
  const { token, orderId, productId, now, quantity = 1, isTest, accountId, others = [] } = order
  const resource = {
    kind: 'androidpublisher#productPurchaseV2',
    orderId,
    regionCode: 'US',
    purchaseCompletionTime: toIso(now),
    purchaseStateContext: { purchaseState: 'PURCHASED' },
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
    productLineItem: [
      { productId, productOfferDetails: { quantity, refundableQuantity: quantity } },
      ...others.map((other) => ({ productId: other, productOfferDetails: { quantity: 1, refundableQuantity: 1 } })),
    ],
    ...(isTest ? { testPurchaseContext: { fopType: 'TEST' } } : {}),
    ...(accountId === undefined ? {} : { obfuscatedExternalAccountId: accountId }),
  } satisfies Product
  return { token, resource }
}

export const productInState = (
  product: PlayProduct,
  purchaseState: 'PENDING' | 'PURCHASED' | 'CANCELLED',
): PlayProduct => ({
  ...product,
  resource: { ...product.resource, purchaseStateContext: { purchaseState } },
})

/** The same purchase in the form of the older `purchases.products`, which may omit the product. */
export function olderProduct({ resource }: PlayProduct): androidpublisher_v3.Schema$ProductPurchase {
  const offer = resource.productLineItem?.[0]?.productOfferDetails
  const states = ['PURCHASED', 'CANCELLED', 'PENDING']
  return {
    kind: 'androidpublisher#productPurchase',
    orderId: resource.orderId ?? '',
    purchaseTimeMillis: String(Date.parse(resource.purchaseCompletionTime ?? '')),
    purchaseState: states.indexOf(resource.purchaseStateContext?.purchaseState ?? ''),
    acknowledgementState: resource.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED' ? 1 : 0,
    consumptionState: 0,
    quantity: offer?.quantity ?? 1,
    refundableQuantity: offer?.refundableQuantity ?? 1,
    regionCode: 'US',
    ...(resource.testPurchaseContext ? { purchaseType: 0 } : {}),
  } satisfies androidpublisher_v3.Schema$ProductPurchase
}

/** Some of the units of a product (absent = the first one) are refunded. */
export function unitsRefunded(product: PlayProduct, units: number, productId?: string): PlayProduct {
  const productLineItem = (product.resource.productLineItem ?? []).map((item, index) => {
    if (productId === undefined ? index > 0 : item.productId !== productId) return item
    const { refundableQuantity, ...offer } = item.productOfferDetails ?? {}
    const left = Math.max(0, (refundableQuantity ?? 1) - units)
    return { ...item, productOfferDetails: { ...offer, refundableQuantity: left } }
  })
  return { ...product, resource: { ...product.resource, productLineItem } }
}

function firstItem(plan: SimulatedPlan, orderId: string, end: number, isFree: boolean): Item {
  return {
    productId: plan.productId,
    expiryTime: toIso(end),
    latestSuccessfulOrderId: orderId,
    ...(plan.isPrepaid
      ? { prepaidPlan: { allowExtendAfterTime: toIso(end) } }
      : { autoRenewingPlan: { autoRenewEnabled: true, recurringPrice: toMoney(plan.price), ...plan.commitment } }),
    offerDetails: { basePlanId: plan.basePlanId, ...(isFree ? { offerId: 'free-trial', offerTags: ['trial'] } : {}) },
    offerPhase: isFree ? { freeTrial: {} } : { basePrice: {} },
  }
}

export const toMoney = ({ amountMicros, currency }: Money): androidpublisher_v3.Schema$Money => ({
  currencyCode: currency,
  units: String(Math.floor(amountMicros / 1_000_000)),
  nanos: (amountMicros % 1_000_000) * 1000,
})

const itemOf = ({ resource }: PlaySubscription): Item => resource.lineItems?.[0] ?? {}

type State = 'ACTIVE' | 'CANCELED' | 'IN_GRACE_PERIOD' | 'ON_HOLD' | 'PAUSED' | 'EXPIRED'

/**
 * The subscription in a state (null: the same state), with changes of each item and with the context of that state only.
 */
function inState(
  subscription: PlaySubscription,
  state: State | null,
  item: Item,
  context: Resource = {},
): PlaySubscription {
  const { pausedStateContext, canceledStateContext, inGracePeriodStateContext, onHoldStateContext, ...rest } =
    subscription.resource
  const contexts = { pausedStateContext, canceledStateContext, inGracePeriodStateContext, onHoldStateContext }
  const held = Object.fromEntries(Object.entries(contexts).filter(([, value]) => state === null && value))
  const resource = {
    ...rest,
    ...held,
    ...context,
    ...(state === null ? {} : { subscriptionState: `SUBSCRIPTION_STATE_${state}` }),
    lineItems: (subscription.resource.lineItems ?? []).map((own) => ({ ...own, ...item })),
  } satisfies Resource
  return { ...subscription, resource }
}

const withItems = (subscription: PlaySubscription, change: (item: Item, index: number) => Item): PlaySubscription => ({
  ...subscription,
  resource: { ...subscription.resource, lineItems: (subscription.resource.lineItems ?? []).map(change) },
})

const withFirst = (subscription: PlaySubscription, item: Item): PlaySubscription =>
  withItems(subscription, (own, index) => (index === 0 ? { ...own, ...item } : own))

/** Sets auto-renew. Google omits a false `autoRenewEnabled`. */
function withAutoRenew(subscription: PlaySubscription, isOn: boolean): PlaySubscription {
  if (subscription.plan.isPrepaid) return subscription
  return withItems(subscription, (item) => {
    const { autoRenewEnabled: _, ...plan } = item.autoRenewingPlan ?? {}
    return { ...item, autoRenewingPlan: isOn ? { ...plan, autoRenewEnabled: true } : plan }
  })
}

function endedNow(
  subscription: PlaySubscription,
  now: number,
  context: androidpublisher_v3.Schema$CanceledStateContext,
) {
  const item = { expiryTime: toIso(Math.min(now, Date.parse(itemOf(subscription).expiryTime ?? toIso(now)))) }
  return inState(withAutoRenew(subscription, false), 'EXPIRED', item, { canceledStateContext: context })
}

const byUser = (now: number): Resource => ({
  canceledStateContext: { userInitiatedCancellation: { cancelTime: toIso(now) } },
})

const declined = (
  name: 'inGracePeriodStateContext' | 'onHoldStateContext',
  { orderId, renewals }: PlaySubscription,
): Resource => ({
  [name]: { renewalDeclined: { pendingOrderId: `${orderId}..${renewals}` } },
})
