import { addPeriod } from '../../base/lib/period'
import {
  cancelled,
  currentOrder,
  type PlaySubscription,
  priceChangeOf,
  repriced,
  stateNameOf,
  withDates,
} from './android'
import { type AndroidLife, memoryOf, openStore, toPlan, toTold } from './android-life'
import type { AndroidStore } from './android-store'
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
}

const LIVE = ['ACTIVE', 'CANCELED', 'IN_GRACE_PERIOD', 'ON_HOLD', 'PAUSED']
const ENDED = 'It has ended; buy it again with: svc simulate purchase'
const GIVEN_BACK = 'It was given back already.'

function reasonAgainst(life: AndroidLife, order: TurnOrder): string | null {
  const { subscription, product, refundedOrders } = life
  const { turn, amountMicros = null, item = null } = order
  if (turn === 'reverse-refund') return 'Google Play takes no refund back.'
  if (turn === 'restore') return 'Google Play restores a purchase under its own token, so nothing changes.'
  if (turn === 'downgrade') return 'At Google Play any change of plan is: svc simulate upgrade --to ID'
  if (amountMicros !== null) return 'Google Play gives back all of an order; leave --partial out.'
  if (item !== null) return reasonAgainstItem(subscription, turn, item)
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

function reasonAgainstItem(subscription: PlaySubscription | null, turn: Turn, item: string): string | null {
  if (turn !== 'refund') return 'Only a refund takes --item.'
  const items = subscription?.resource.lineItems ?? []
  if (!items.some(({ productId }) => productId === item))
    return `It has no product ${item}, or not any more. ${contentOf(items)}`
  if (items.length < 2) return 'It has no other product; leave --item out.'
  return LIVE.includes(subscription ? stateNameOf(subscription) : '') ? null : ENDED
}

const contentOf = (items: readonly { productId?: string | null }[]): string =>
  items.length === 0 ? 'It is no subscription.' : `It has: ${items.map(({ productId }) => productId).join(', ')}.`

function reasonInOrder(life: AndroidLife, { plan }: PlaySubscription, { turn, to, days, priceMicros }: TurnOrder) {
  if (turn === 'upgrade') {
    if (!to) return 'Name the product with --to.'
    const isSame = to.productId === plan.productId && to.basePlanId === plan.basePlanId
    return isSame ? 'It is that product already.' : to.type === 'SUBSCRIPTION' ? null : 'That is no subscription.'
  }
  if (turn === 'extend') return days && days <= 365 ? null : 'Google Play defers by 1 to 365 days.'
  if (turn === 'accept-price') return life.priceMicros === null ? 'No price increase waits for consent.' : null
  if (turn !== 'price-increase') return null
  return priceMicros && priceMicros > plan.price.amountMicros ? null : 'Name a higher price with --price.'
}

interface Taking {
  store: AndroidStore
  life: AndroidLife
  subscription: PlaySubscription
  order: TurnOrder
}

const HANDLERS: Record<
  Exclude<Turn, 'reverse-refund' | 'restore' | 'downgrade' | 'upgrade'>,
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
  refund: ({ store, life, order: { item = null } }) =>
    void (item === null ? store.refund(life.id) : store.takeBackItem(life.id, item)),
  revoke: ({ store, life }) => store.revoke(life.id),
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

/** The token of the new purchase, where the turn is a change of plan. */
function take(taking: Taking): string | null {
  const { store, life, order } = taking
  const { turn, to } = order
  if (turn === 'upgrade') return to ? store.upgrade(life.id, toPlan(to), { isTest: true }) : null
  if (turn !== 'reverse-refund' && turn !== 'restore' && turn !== 'downgrade') HANDLERS[turn](taking)
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

/** The new purchase that a change of plan begins. */
const beginning = (before: AndroidLife, store: AndroidStore, id: string, terms: SimulatedTerms): AndroidLife => ({
  ...{ ...before, id, terms, boughtAt: before.lastAt, holdUntil: null, priceMicros: null },
  ...memoryOf(store, id),
  voided: [],
  refundedOrders: [],
  histories: {},
})
