import { addPeriod } from '../../base/lib/period'
import {
  cancelled,
  currentOrder,
  type PlaySubscription,
  priceChangeOf,
  repriced,
  type SimulatedPlan,
  stateNameOf,
  withDates,
} from './android'
import { type AndroidLife, memoryOf, openStore, toPlan, toTold } from './android-life'
import { proratedPrice, restOf } from './android-orders'
import type { AndroidStore, UpgradeOptions } from './android-store'
import { refused, type SimulatedTerms, type Turn, type Turned, type TurnOrder } from './life'

/** Takes a turn. A turn that the store takes by itself first moves the end of the running period to now. */
export function turnAndroid(life: AndroidLife, given: TurnOrder): Turned<AndroidLife> {
  const order = { ...given, now: Math.max(given.now, life.lastAt + 1) }
  const why = reasonAgainst(life, order)
  if (why !== null) return refused(why)
  const seed = order.nextSeed()
  const { store, told } = openStore(order.now, seed, life)
  const next = life.subscription ? take({ store, life, subscription: life.subscription, order }) : null
  if (!life.subscription) store.refund(life.id)
  const held = { ...life, ...memoryOf(store, life.id), ...plansOf(life, order), lastAt: order.now }
  const begun = next !== null && order.to ? [beginning(held, store, next, order.to)] : []
  return { ok: true, lives: [held, ...begun], told: toTold(held, told, seed) }
}

/** The states of a subscription in which a turn is possible, and the refusal in any other state. */
const NEEDS: Partial<Record<Turn, [states: readonly string[], why: string]>> = {
  renew: [['ACTIVE'], 'Nothing will be charged; go on with recover, resume or uncancel.'],
  cancel: [['ACTIVE', 'IN_GRACE_PERIOD', 'ON_HOLD'], 'It is cancelled or paused already.'],
  uncancel: [['CANCELED'], 'It is not cancelled.'],
  'billing-issue': [['ACTIVE'], 'Nothing is charged: it is cancelled or paused, or a charge has failed already.'],
  'grace-expire': [['IN_GRACE_PERIOD'], 'It is in no grace period.'],
  recover: [['IN_GRACE_PERIOD', 'ON_HOLD'], 'No charge of it has failed.'],
  pause: [['ACTIVE'], 'Only an active subscription can be paused.'],
  resume: [['PAUSED'], 'It is not paused.'],
  upgrade: [['ACTIVE', 'CANCELED', 'IN_GRACE_PERIOD'], 'Only a running subscription can be changed.'],
  'price-increase': [['ACTIVE'], 'Only an active subscription can get another price.'],
  'accept-price': [['ACTIVE'], 'Only an active subscription can get another price.'],
  extend: [['ACTIVE', 'CANCELED'], 'Only a running subscription can be extended.'],
  'add-item': [['ACTIVE'], 'Only an active subscription can get another product.'],
  schedule: [['ACTIVE'], 'Only an active subscription can get another product.'],
}

const LIVE = ['ACTIVE', 'CANCELED', 'IN_GRACE_PERIOD', 'ON_HOLD', 'PAUSED']
const ENDED = 'It has ended; buy it again with: svc simulate purchase'
const GIVEN_BACK = 'It was given back already.'

function reasonAgainst(life: AndroidLife, order: TurnOrder): string | null {
  const { subscription, product, refundedOrders } = life
  const { turn, amountMicros = null, item = null, isProrated = false } = order
  if (turn === 'reverse-refund') return 'Google Play takes no refund back.'
  if (turn === 'restore') return 'Google Play restores a purchase under its own token, so nothing changes.'
  if (turn === 'downgrade') return 'At Google Play any change of plan is: svc simulate upgrade --to ID'
  if (turn === 'settle') return 'A purchase at Google Play is paid at once.'
  if (turn === 'seats') return 'Google Play sells a subscription once to each customer.'
  if (turn === 'credit') return 'Google Play has no balance of the customer that pays for a renewal.'
  if (turn === 'refund' && (amountMicros !== null || isProrated)) return reasonAgainstPart(life, order)
  if (turn === 'remove-item' && item === null) return 'Name the product with --item.'
  const whyNotItem = item === null ? null : reasonAgainstItem(subscription, turn, item)
  if (whyNotItem !== null) return whyNotItem
  if (item !== null && turn === 'refund') return null
  if (!subscription)
    return turn !== 'refund'
      ? 'It is no subscription.'
      : refundedOrders.includes(product?.resource.orderId ?? '')
        ? GIVEN_BACK
        : null
  if (turn === 'refund') return refundedOrders.includes(currentOrder(subscription)) ? GIVEN_BACK : null
  const [states, why] = NEEDS[turn] ?? [LIVE, ENDED]
  if (!LIVE.includes(stateNameOf(subscription))) return ENDED
  return states.includes(stateNameOf(subscription)) ? reasonInOrder(life, subscription, order) : why
}

/** Why a part of the newest order cannot be returned. */
function reasonAgainstPart(
  life: AndroidLife,
  { amountMicros = null, isProrated, item, now }: TurnOrder,
): string | null {
  const { subscription } = life
  if (item) return 'Google Play gives a part of an order back without naming a product; leave --item out.'
  if (amountMicros !== null && isProrated) return 'Name the amount with --partial, or leave it to --prorated.'
  if (!subscription) return 'A one-time order has no price at this store; leave --partial out.'
  const { store } = openStore(now, '', life)
  const orderId = currentOrder(subscription)
  const left = store.leftOf(orderId)?.amountMicros ?? 0
  if (left <= 0)
    return life.refundedOrders.includes(orderId) ? GIVEN_BACK : 'Nothing was paid that could be given back.'
  if (!isProrated)
    return (amountMicros ?? 0) < left ? null : `Less than ${left / 1_000_000} is left; leave --partial out.`
  if (!LIVE.includes(stateNameOf(subscription))) return ENDED
  return restOf(subscription, orderId, store.leftOf(orderId), now) ? null : 'Nothing is left of the period.'
}

function reasonAgainstItem(subscription: PlaySubscription | null, turn: Turn, item: string): string | null {
  if (turn !== 'refund' && turn !== 'remove-item' && turn !== 'schedule') return 'Only a refund takes --item.'
  const items = subscription?.resource.lineItems ?? []
  if (!items.some(({ productId }) => productId === item))
    return `It has no product ${item}, or not any more. ${contentOf(items)}`
  if (turn === 'schedule') return null
  if (items.length < 2) return 'It has no other product; leave --item out.'
  return LIVE.includes(subscription ? stateNameOf(subscription) : '') ? null : ENDED
}

const contentOf = (items: readonly { productId?: string | null }[]): string =>
  items.length === 0 ? 'It is no subscription.' : `It has: ${items.map(({ productId }) => productId).join(', ')}.`

function reasonInOrder(life: AndroidLife, subscription: PlaySubscription, order: TurnOrder): string | null {
  const { plan } = subscription
  const { turn, to, days, priceMicros, isProrated, now } = order
  if (turn === 'upgrade') {
    if (!to) return 'Name the product with --to.'
    const isSame = to.productId === plan.productId && to.basePlanId === plan.basePlanId
    if (isSame) return 'It is that product already.'
    if (to.type !== 'SUBSCRIPTION') return 'That is no subscription.'
    const costs = isProrated ? proratedPrice(subscription, toPlan(to), now).amountMicros : 1
    return costs > 0
      ? null
      : 'Google Play prorates to a product that costs more for the same time; leave --prorated out.'
  }
  if (turn === 'add-item' || turn === 'schedule') return reasonAgainstNew(life, to)
  if (turn === 'extend') return days && days <= 365 ? null : 'Google Play defers by 1 to 365 days.'
  if (turn === 'accept-price') return life.priceMicros === null ? 'No price increase waits for consent.' : null
  if (turn !== 'price-increase') return null
  return priceMicros && priceMicros > plan.price.amountMicros ? null : 'Name a higher price with --price.'
}

/** Why a product cannot be added, or come in the place of another one. */
function reasonAgainstNew({ subscription, terms }: AndroidLife, to: SimulatedTerms | null | undefined): string | null {
  if (!to) return 'Name the product with --to.'
  if (to.type !== 'SUBSCRIPTION') return 'That is no subscription.'
  if (to.period !== terms.period) return 'Products that are bought together have one period.'
  const items = subscription?.resource.lineItems ?? []
  return items.some(({ productId }) => productId === to.productId) ? 'It has that product already.' : null
}

interface Taking {
  store: AndroidStore
  life: AndroidLife
  subscription: PlaySubscription
  order: TurnOrder
}

const HANDLERS: Record<
  Exclude<Turn, 'reverse-refund' | 'restore' | 'downgrade' | 'upgrade' | 'seats' | 'credit' | 'settle'>,
  (taking: Taking) => void
> = {
  renew(taking) {
    end(taking)
    reprice(taking)
    taking.store.renew(taking.life.id)
  },
  recover: ({ store, life }) => store.renew(life.id),
  resume: ({ store, life }) => store.resume(life.id),
  cancel: ({ store, life }) => store.cancel(life.id),
  uncancel: ({ store, life }) => store.restart(life.id),
  'billing-issue'(taking) {
    end(taking)
    if (taking.order.hasNoGrace) taking.store.hold(taking.life.id)
    else taking.store.failPayment(taking.life.id)
  },
  'grace-expire'(taking) {
    end(taking)
    taking.store.hold(taking.life.id)
  },
  pause(taking) {
    end(taking)
    taking.store.pause(taking.life.id)
  },
  expire(taking) {
    end(taking)
    excuse(taking)
    taking.store.expire(taking.life.id)
  },
  refund,
  revoke: ({ store, life }) => store.revoke(life.id),
  'add-item': ({ store, life, order: { to } }) => to && store.addItem(life.id, toPlan(to)),
  'remove-item': ({ store, life, order: { item } }) => item && store.removeItem(life.id, item),
  schedule: ({ store, life, subscription, order: { to, item } }) =>
    to && store.deferItem(life.id, item ?? subscription.plan.productId, toPlan(to)),
  extend: ({ store, life, order }) => store.defer(life.id, `P${order.days}D`),
  'price-increase': ({ store, subscription, order }) =>
    store.raisePrice(
      subscription.token,
      { ...subscription.plan.price, amountMicros: order.priceMicros ?? 0 },
      'OUTSTANDING',
    ),
  'accept-price': ({ store, subscription, life }) =>
    store.raisePrice(
      subscription.token,
      { ...subscription.plan.price, amountMicros: life.priceMicros ?? 0 },
      'CONFIRMED',
    ),
}

function refund({ store, life, subscription, order }: Taking): void {
  const { item = null, amountMicros = null, isProrated = false } = order
  if (isProrated) store.refundRest(life.id)
  else if (amountMicros !== null)
    store.refundPart(currentOrder(subscription), { ...subscription.plan.price, amountMicros })
  else if (item !== null) store.takeBackItem(life.id, item)
  else store.refund(life.id)
}

/** The new plan costs the rest of the running period now, and its own price from the end of that on. */
function prorationOf({ subscription, order: { isProrated, now } }: Taking, plan: SimulatedPlan): UpgradeOptions {
  if (!isProrated) return {}
  return { prorated: proratedPrice(subscription, plan, now), until: subscription.paidUntil }
}

/** The token of the new purchase, where the turn is a change of plan. */
function take(taking: Taking): string | null {
  const { store, life, order } = taking
  const { turn, to } = order
  if (turn === 'upgrade' && to) {
    const plan = toPlan(to)
    return store.upgrade(life.id, plan, { isTest: true, ...prorationOf(taking, plan) })
  }
  if (Object.hasOwn(HANDLERS, turn)) HANDLERS[turn as keyof typeof HANDLERS](taking) // The table was asked.
  return null
}

const end = ({ store, subscription, order }: Taking) =>
  void store.subscriptions.set(
    subscription.token,
    withDates(subscription, (at) => Math.min(at, order.now)),
  )

/** A price that the buyer accepted applies from this charge on. */
function reprice({ store, life }: Taking): void {
  const held = store.subscriptions.get(life.id)
  if (!held || life.priceMicros === null || priceChangeOf(held) !== 'CONFIRMED') return
  store.subscriptions.set(life.id, repriced(held, { ...held.plan.price, amountMicros: life.priceMicros }))
}

/**
 * Makes the reason of an end plausible. A subscription without a billing problem is cancelled first, unless the buyer
 * refused a price.
 */
function excuse({ store, life, order }: Taking): void {
  const held = store.subscriptions.get(life.id)
  if (held && stateNameOf(held) === 'ACTIVE' && priceChangeOf(held) !== 'OUTSTANDING')
    store.subscriptions.set(life.id, cancelled(held, order.now))
}

const HOLD = 'P30D'

/** Plans for the future that Google does not report. */
function plansOf({ holdUntil, priceMicros }: AndroidLife, { turn, now, priceMicros: asked = null }: TurnOrder) {
  if (turn === 'grace-expire' || turn === 'billing-issue') return { holdUntil: addPeriod(now, HOLD), priceMicros }
  if (turn === 'price-increase') return { holdUntil, priceMicros: asked }
  return turn === 'renew' ? { holdUntil: null, priceMicros: null } : { holdUntil, priceMicros }
}

/** The new purchase that a change of plan starts. */
const beginning = (before: AndroidLife, store: AndroidStore, id: string, terms: SimulatedTerms): AndroidLife => ({
  ...{ ...before, id, terms, boughtAt: before.lastAt, holdUntil: null, priceMicros: null },
  ...memoryOf(store, id),
  voided: [],
  refundedOrders: [],
  histories: {},
})
