import { ORDER_PREFIX, TOKEN_PREFIX } from '../../stores/test-keys/ids'
import {
  endOf,
  type PlayProduct,
  type PlaySubscription,
  priceChangeOf,
  resumesAt,
  type SimulatedPlan,
  stateNameOf,
  withDates,
} from './android'
import type { SimulatedCharge, SimulatedHistory } from './android-orders'
import type { SimulatedNotification } from './android-push'
import { AndroidStore } from './android-store'
import { type Due, type LifeBase, movedEarlier, type Redating, type SimulatedNews, type SimulatedTerms } from './life'

/** A purchase at the Android test store. Exactly one of the two objects is present. */
export interface AndroidLife extends LifeBase {
  store: 'android'
  packageName: string
  subscription: PlaySubscription | null
  product: PlayProduct | null
  voided: AndroidStore['voided']
  /** Orders that the developer refunded, with or without their access. */
  refundedOrders: readonly string[]
  /** What was returned of orders; absent in a life of an earlier release. */
  histories?: Readonly<Record<string, SimulatedHistory>>
  /** What orders charged, where that is not the price; absent in a life of an earlier release. */
  charges?: Readonly<Record<string, readonly SimulatedCharge[]>>
  /** When Google stops trying to charge. */
  holdUntil: number | null
  /** The new price in micros that the buyer was asked to accept. */
  priceMicros: number | null
}

export interface AndroidOrder {
  deviceKey: string
  packageName: string
  terms: SimulatedTerms
  others?: readonly SimulatedTerms[]
  seed: string
  now: number
  withTrial: boolean
}

const PREFIXES = { token: TOKEN_PREFIX, order: ORDER_PREFIX }

/** A customer buys. The buyer is a licence tester, so the purchase counts as Sandbox. */
export function buyAtAndroid(order: AndroidOrder): { life: AndroidLife; told: SimulatedNews[] } {
  const { deviceKey, packageName, terms, others = [], seed, now, withTrial } = order
  const { store, told } = openStore(now, seed)
  const isSubscription = terms.type === 'SUBSCRIPTION'
  const id = isSubscription
    ? store.subscribe(toPlan(terms), { withTrial, isTest: true, addons: others.map(toPlan) })
    : store.buy(terms.productId, { isTest: true, others: others.map(({ productId }) => productId) })
  const life: AndroidLife = {
    ...{
      store: 'android',
      id,
      deviceKey,
      terms,
      packageName,
      boughtAt: now,
      lastAt: now,
      holdUntil: null,
      priceMicros: null,
    },
    ...memoryOf(store, id),
  }
  return { life, told: toTold(life, told, seed) }
}

/** A store that contains only this purchase, and the list to which it adds its notifications. */
export function openStore(now: number, seed: string, life: AndroidLife | null = null) {
  const told: SimulatedNotification[] = []
  const store = new AndroidStore({ now: () => now }, seed, (word) => told.push(word), PREFIXES)
  if (life) remember(store, life)
  return { store, told }
}

/** Loads a saved purchase into a store. */
export function remember(
  store: AndroidStore,
  { id, subscription, product, voided, refundedOrders, histories = {}, charges = {} }: AndroidLife,
): void {
  if (subscription) store.subscriptions.set(id, subscription)
  if (product) store.products.set(id, product)
  store.voided.push(...voided)
  for (const orderId of refundedOrders) store.refundedOrders.add(orderId)
  // A copy, because turns add to it.
  for (const [orderId, history] of Object.entries(histories)) store.histories.set(orderId, structuredClone(history))
  for (const [orderId, charged] of Object.entries(charges)) store.charges.set(orderId, [...charged])
}

/** The parts of a purchase in the store's memory that are saved in its life. */
export const memoryOf = (store: AndroidStore, id: string) => ({
  subscription: store.subscriptions.get(id) ?? null,
  product: store.products.get(id) ?? null,
  voided: [...store.voided],
  refundedOrders: [...store.refundedOrders],
  histories: Object.fromEntries(store.histories),
  charges: Object.fromEntries(store.charges),
})

export const toTold = (
  { packageName, lastAt }: AndroidLife,
  told: readonly SimulatedNotification[],
  seed: string,
): SimulatedNews[] =>
  told.map((word, index) => ({
    ...{ store: 'android', type: word.type, packageName, word, at: lastAt },
    messageId: `${seed}-${index + 1}`,
  }))

/** The next turn that happens without a command; null when there is none. */
export function androidDue({ subscription, holdUntil }: AndroidLife): Due | null {
  if (!subscription) return null
  switch (stateNameOf(subscription)) {
    case 'ACTIVE':
      return { at: endOf(subscription), turn: priceChangeOf(subscription) === 'OUTSTANDING' ? 'expire' : 'renew' }
    case 'CANCELED':
      return { at: endOf(subscription), turn: 'expire' }
    case 'IN_GRACE_PERIOD':
      return { at: endOf(subscription), turn: 'grace-expire' }
    case 'ON_HOLD':
      return { at: holdUntil ?? endOf(subscription), turn: 'expire' }
    case 'PAUSED':
      return { at: resumesAt(subscription) ?? endOf(subscription), turn: 'resume' }
    default:
      return null
  }
}

export function redateAndroid(life: AndroidLife, by: Redating): AndroidLife {
  const { subscription, holdUntil } = life
  return {
    ...life,
    subscription: subscription && withDates(subscription, (at) => movedEarlier(at, by)),
    holdUntil: holdUntil && movedEarlier(holdUntil, by),
  }
}

const TWELVE_PAYMENTS = { initialCommittedPaymentsCount: 12, remainingCommittedPaymentsCount: 11 }

/** The terms in the form of Google Play. */
export const toPlan = ({
  productId,
  basePlanId,
  period,
  price,
  trialPeriod,
  isCommitted,
}: SimulatedTerms): SimulatedPlan => ({
  ...{ productId, basePlanId, period: period ?? 'P1M', price, trialPeriod },
  ...(isCommitted && { commitment: { installmentDetails: TWELVE_PAYMENTS } }),
})
