import { createHash } from 'node:crypto'
import type { androidpublisher_v3 } from 'googleapis/build/src/apis/androidpublisher'
import type { Clock } from '../../base/lib/clock'
import type { Money } from '../../base/lib/money'
import { addPeriod } from '../../base/lib/period'
import { moneyOf } from '../../stores/android/values'
import {
  acknowledged,
  bought,
  cancelled,
  currentOrder,
  deferred,
  expired,
  givenUp,
  inGrace,
  itemAdded,
  itemDeferred,
  itemRemoved,
  onHold,
  type PlayProduct,
  type PlaySubscription,
  paid,
  paused,
  pending,
  priceRaised,
  productInState,
  renewed,
  replaced,
  restarted,
  revoked,
  type SimulatedBuy,
  type SimulatedPlan,
  type SimulatedSubscribe,
  subscribed,
  unitsRefunded,
} from './android'
import {
  itemRevoked,
  leftOfLines,
  orderIdOf,
  orderLines,
  ordersOf,
  restsOf,
  type SimulatedCharge,
  type SimulatedHistory,
} from './android-orders'
import { aboutProduct, aboutSubscription, aboutVoided, type SimulatedNotification } from './android-push'

type Voided = androidpublisher_v3.Schema$VoidedPurchase

/** Called with each notification of the stand-in, at the instant of the turn. */
type Tell = (notification: SimulatedNotification, now: number) => void

/** The first characters of tokens and orders; those of Google's tokens have no meaning. */
export interface IdPrefixes {
  token: string
  order: string
}

const CHARGEBACK = 7

const GOOGLE_PREFIXES: IdPrefixes = { token: '', order: 'GPA.' }

export type SubscribeOptions = Pick<SimulatedSubscribe, 'withTrial' | 'isTest' | 'accountId' | 'addons'>
export type UpgradeOptions = Pick<SimulatedSubscribe, 'isTest' | 'addons' | 'prorated' | 'until'>
export type BuyOptions = Pick<SimulatedBuy, 'quantity' | 'isTest' | 'accountId' | 'others'>

/** Purchases in memory, and the turns that change them. Each turn sends the notification that Google Play sends. */
export class AndroidStore {
  readonly subscriptions = new Map<string, PlaySubscription>()
  readonly products = new Map<string, PlayProduct>()
  readonly voided: Voided[] = []
  readonly refundedOrders = new Set<string>()
  /** What orders charged, where it differs from what their purchases say. */
  readonly charges = new Map<string, SimulatedCharge[]>()
  /** What was returned of orders. */
  readonly histories = new Map<string, SimulatedHistory>()
  #made = 0

  constructor(
    private readonly clock: Clock,
    private readonly seed: string,
    private readonly tell: Tell,
    private readonly prefixes: IdPrefixes = GOOGLE_PREFIXES,
  ) {}

  /** Subscribes, and returns the purchase token. */
  subscribe(plan: SimulatedPlan, options: SubscribeOptions = {}): string {
    const token = this.#token()
    this.#keep(subscribed({ ...options, ...this.#order(token), plan }), 'SUBSCRIPTION_PURCHASED', 4)
    return token
  }

  /** A subscription (or with `linkedToken` a change of one) whose payment is pending; no notification is sent. */
  subscribePending(plan: SimulatedPlan, options: Pick<SimulatedSubscribe, 'linkedToken'> = {}): string {
    const token = this.#token()
    this.subscriptions.set(token, pending(subscribed({ ...options, ...this.#order(token), plan })))
    return token
  }

  /** Changes the plan: a new purchase linked to the old one, which ends. */
  upgrade(token: string, plan: SimulatedPlan, options: UpgradeOptions = {}): string {
    const next = this.#token()
    if (options.prorated) this.charge(this.#order(next).orderId, plan.productId, options.prorated)
    this.#replace(token, subscribed({ ...options, ...this.#order(next), plan, linkedToken: token }))
    return next
  }

  /** Adds a plan to a subscription, which keeps its token. */
  addItem(token: string, plan: SimulatedPlan): void {
    this.#made += 1
    const { orderId } = this.#order(token)
    this.#turn(token, (one) => itemAdded(one, plan, orderId), 'SUBSCRIPTION_ITEMS_CHANGED', 17)
  }

  /** Removes a plan at the end of the paid period. */
  removeItem(token: string, productId: string): void {
    this.#turn(token, (one) => itemRemoved(one, productId), 'SUBSCRIPTION_ITEMS_CHANGED', 17)
  }

  /** Announces a plan that comes in the place of another one with the next charge. */
  deferItem(token: string, productId: string, plan: SimulatedPlan): void {
    this.#turn(token, (one) => itemDeferred(one, productId, plan), 'SUBSCRIPTION_ITEMS_CHANGED', 17)
  }

  /** Buys another period of a prepaid plan. This is also a new purchase; it includes the rest of the old period. */
  topUp(token: string): string {
    const { plan, paidUntil: after } = this.#subscription(token)
    const next = this.#token()
    this.#replace(token, subscribed({ ...this.#order(next), plan, linkedToken: token, after }))
    return next
  }

  renew(token: string): void {
    const { resource } = this.#subscription(token)
    const isRecovery = !['SUBSCRIPTION_STATE_ACTIVE', 'SUBSCRIPTION_STATE_CANCELED'].includes(
      resource.subscriptionState ?? '',
    )
    const [type, number] = isRecovery
      ? (['SUBSCRIPTION_RECOVERED', 1] as const)
      : (['SUBSCRIPTION_RENEWED', 2] as const)
    this.#turn(token, (one, now) => renewed(one, now), type, number)
  }

  /** Sets what an order charged for a product, taxes included. */
  charge(orderId: string, productId: string, total: Money): void {
    this.charges.set(orderId, [...(this.charges.get(orderId) ?? []), { productId, total }])
  }

  cancel(token: string): void {
    this.#turn(token, cancelled, 'SUBSCRIPTION_CANCELED', 3)
  }

  restart(token: string): void {
    this.#turn(token, restarted, 'SUBSCRIPTION_RESTARTED', 7)
  }

  /** The charge at the end of the period fails; a grace period of length `period` starts there. */
  failPayment(token: string, period = 'P7D'): void {
    const turn = (one: PlaySubscription) => inGrace(one, addPeriod(one.paidUntil, period))
    this.#turn(token, turn, 'SUBSCRIPTION_IN_GRACE_PERIOD', 6)
  }

  hold(token: string): void {
    this.#turn(token, onHold, 'SUBSCRIPTION_ON_HOLD', 5)
  }

  pause(token: string, period = 'P1M'): void {
    this.#turn(token, (one, now) => paused(one, addPeriod(now, period)), 'SUBSCRIPTION_PAUSED', 10)
  }

  /** Ends a pause or a hold with a charge. */
  resume(token: string): void {
    this.renew(token)
  }

  defer(token: string, period: string): void {
    this.#turn(token, (one) => deferred(one, addPeriod(one.paidUntil, period)), 'SUBSCRIPTION_DEFERRED', 9)
  }

  /** The buyer is asked to accept a higher price, or accepts it. */
  raisePrice(token: string, price: Money, state: 'OUTSTANDING' | 'CONFIRMED'): void {
    this.#turn(token, (one) => priceRaised(one, price, state), 'SUBSCRIPTION_PRICE_CHANGE_UPDATED', 19)
  }

  expire(token: string): void {
    this.#turn(token, expired, 'SUBSCRIPTION_EXPIRED', 13)
  }

  revoke(token: string): void {
    this.#turn(token, revoked, 'SUBSCRIPTION_REVOKED', 12)
  }

  buy(productId: string, options: BuyOptions = {}): string {
    const token = this.#token()
    this.products.set(token, bought({ ...options, ...this.#order(token), productId }))
    this.tell(aboutProduct('ONE_TIME_PRODUCT_PURCHASED', 1, token, productId), this.clock.now())
    return token
  }

  buyPending(productId: string): string {
    const token = this.#token()
    this.products.set(token, productInState(bought({ ...this.#order(token), productId }), 'PENDING'))
    return token
  }

  /** A pending purchase is paid, or its payment fails for good. */
  settle(token: string, isPaid: boolean): void {
    if (this.subscriptions.has(token)) this.#settleSubscription(token, isPaid)
    else this.#settleProduct(token, isPaid)
  }

  #settleSubscription(token: string, isPaid: boolean): void {
    const one = this.#subscription(token)
    const replacedToken = one.resource.linkedPurchaseToken
    if (!isPaid) this.#keep(givenUp(one), 'SUBSCRIPTION_PENDING_PURCHASE_CANCELED', 20)
    else if (replacedToken) this.#replace(replacedToken, paid(one, this.clock.now()))
    else this.#turn(token, paid, 'SUBSCRIPTION_PURCHASED', 4)
  }

  #settleProduct(token: string, isPaid: boolean): void {
    const product = productInState(this.#product(token), isPaid ? 'PURCHASED' : 'CANCELLED')
    this.products.set(token, product)
    const [type, number] = isPaid
      ? (['ONE_TIME_PRODUCT_PURCHASED', 1] as const)
      : (['ONE_TIME_PRODUCT_CANCELED', 2] as const)
    this.tell(
      aboutProduct(type, number, token, product.resource.productLineItem?.[0]?.productId ?? ''),
      this.clock.now(),
    )
  }

  /** Refunds an order (the current one of a subscription); `reason` 7 is a chargeback. */
  refund(token: string, reason = 0): void {
    const subscription = this.subscriptions.get(token)
    const orderId = subscription ? currentOrder(subscription) : (this.#product(token).resource.orderId ?? '')
    this.#takeBack(token, orderId, reason)
  }

  /**
   * Refunds an order like the API; false when it was refunded before. Without a revocation Google lists no voided
   * purchase and sends no notification.
   */
  refundOrder(orderId: string, withRevoke: boolean): boolean {
    const token = this.tokenOfOrder(orderId)
    if (token === null || this.refundedOrders.has(orderId)) return false
    this.refundedOrders.add(orderId)
    this.#history(orderId).refundedAt = this.clock.now()
    if (withRevoke) this.#takeBack(token, orderId, 0)
    return true
  }

  /**
   * Refunds one product of a subscription with several, which loses it at once (`itemBasedRefund`). Google lists no voided
   * purchase; the notification states only that the products have changed.
   */
  refundItem(token: string, productId: string, amount: Money): void {
    const item = this.#subscription(token).resource.lineItems?.find((one) => one.productId === productId)
    const orderId = item?.latestSuccessfulOrderId ?? ''
    if (!item) throw new Error(`The subscription has no product ${productId}`)
    this.refundPart(orderId, amount)
    this.#history(orderId).lost.push(item)
    this.#turn(token, (one) => itemRevoked(one, productId), 'SUBSCRIPTION_ITEMS_CHANGED', 17)
  }

  /** Refunds one product for what its last order charged; false when the subscription has no other product. */
  takeBackItem(token: string, productId: string): boolean {
    const items = this.#subscription(token).resource.lineItems ?? []
    const item = items.find((one) => one.productId === productId)
    if (!item || items.length < 2) return false
    const orderId = item.latestSuccessfulOrderId ?? ''
    const charged = this.charges.get(orderId)?.find((one) => one.productId === productId)?.total
    const price = charged ?? moneyOf(item.autoRenewingPlan?.recurringPrice)
    if (price) this.refundItem(token, productId, price)
    return price !== null
  }

  /** Returns a part of what an order cost. Google sends no notification of it. */
  refundPart(orderId: string, amount: Money, isPending = false): void {
    this.#history(orderId).parts.push({ at: this.clock.now(), amount, isPending })
  }

  /** The lines of an order, as Google describes it. */
  linesOf(orderId: string): ReturnType<typeof orderLines> {
    const token = this.tokenOfOrder(orderId) ?? ''
    const lost = this.histories.get(orderId)?.lost ?? []
    const purchase = { subscription: this.subscriptions.get(token), product: this.products.get(token), lost }
    return orderLines(orderId, this.charges.get(orderId) ?? [], purchase)
  }

  /** What the seller has left of an order; null when it was refunded, or has no price. */
  leftOf(orderId: string): Money | null {
    if (this.refundedOrders.has(orderId)) return null
    return leftOfLines(this.linesOf(orderId), this.histories.get(orderId)?.parts ?? [])
  }

  /**
   * Refunds the rest of the running period of each product, and ends the access (`proratedRefund`); false when nothing is
   * left to return. Google lists no voided purchase.
   */
  refundRest(token: string): boolean {
    const rests = restsOf(this.#subscription(token), (orderId) => this.leftOf(orderId), this.clock.now())
    for (const { orderId, rest } of rests) this.refundPart(orderId, rest)
    if (rests.length > 0) this.revoke(token)
    return rests.length > 0
  }

  #history(orderId: string): SimulatedHistory {
    const history = this.histories.get(orderId) ?? { refundedAt: null, isChargeback: false, parts: [], lost: [] }
    this.histories.set(orderId, history)
    return history
  }

  #takeBack(token: string, orderId: string, reason: number): void {
    const subscription = this.subscriptions.get(token)
    this.refundedOrders.add(orderId)
    Object.assign(this.#history(orderId), { refundedAt: this.clock.now(), isChargeback: reason === CHARGEBACK })
    this.#void({ purchaseToken: token, orderId, voidedReason: reason })
    if (subscription) this.subscriptions.set(token, revoked(subscription, this.clock.now()))
    else this.products.set(token, productInState(this.#product(token), 'CANCELLED'))
    this.tell(aboutVoided({ token, orderId, productType: subscription ? 1 : 2, refundType: 1 }), this.clock.now())
  }

  /** Refunds some units of a one-time purchase. */
  refundUnits(token: string, units: number, productId?: string): void {
    const product = unitsRefunded(this.#product(token), units, productId)
    const orderId = product.resource.orderId ?? ''
    this.products.set(token, product)
    this.#void({ purchaseToken: token, orderId, voidedReason: 0, voidedQuantity: units })
    this.tell(aboutVoided({ token, orderId, productType: 2, refundType: 2 }), this.clock.now())
  }

  /** Acknowledges like the API; false when there is no such purchase. */
  acknowledge(token: string): boolean {
    const subscription = this.subscriptions.get(token)
    const product = this.products.get(token)
    if (subscription) this.subscriptions.set(token, acknowledged(subscription))
    if (product) {
      const resource = { ...product.resource, acknowledgementState: 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED' }
      this.products.set(token, { ...product, resource })
    }
    return Boolean(subscription ?? product)
  }

  tokenOfOrder(orderId: string): string | null {
    for (const one of this.subscriptions.values()) if (ordersOf(one).includes(orderId)) return one.token
    for (const one of this.products.values()) if (one.resource.orderId === orderId) return one.token
    return null
  }

  #replace(token: string, next: PlaySubscription): void {
    this.subscriptions.set(token, replaced(this.#subscription(token), this.clock.now()))
    this.#keep(next, 'SUBSCRIPTION_PURCHASED', 4)
    this.#tellOf(token, 'SUBSCRIPTION_EXPIRED', 13)
  }

  #turn(token: string, turn: (one: PlaySubscription, now: number) => PlaySubscription, type: string, number: number) {
    this.#keep(turn(this.#subscription(token), this.clock.now()), type, number)
  }

  #keep(subscription: PlaySubscription, type: string, number: number): void {
    this.subscriptions.set(subscription.token, subscription)
    this.#tellOf(subscription.token, type, number)
  }

  #tellOf(token: string, type: string, number: number): void {
    this.tell(aboutSubscription(type, number, token), this.clock.now())
  }

  #void(row: Omit<Voided, 'voidedTimeMillis' | 'kind'>): void {
    const voidedTimeMillis = String(this.clock.now())
    const kind = 'androidpublisher#voidedPurchase'
    this.voided.push({ ...row, kind, voidedTimeMillis } satisfies Voided)
  }

  #subscription(token: string): PlaySubscription {
    const subscription = this.subscriptions.get(token)
    if (!subscription) throw new Error(`The stand-in sold no subscription with token ${token}`)
    return subscription
  }

  #product(token: string): PlayProduct {
    const product = this.products.get(token)
    if (!product) throw new Error(`The stand-in sold no product with token ${token}`)
    return product
  }

  #token(): string {
    this.#made += 1
    return `${this.prefixes.token}${this.#digest('token').slice(0, 24)}.AO-J1O${this.#digest('tail')}`
  }

  #order(token: string): { token: string; orderId: string; now: number } {
    return { token, orderId: orderIdOf(this.prefixes.order, this.#digest('order')), now: this.clock.now() }
  }

  #digest(what: string): string {
    return createHash('sha256').update(`${this.seed}:${what}:${this.#made}`).digest('hex')
  }
}
