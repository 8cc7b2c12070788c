import type { Clock } from '../../../base/lib/clock'
import { type Item, type PlaySubscription, type SimulatedPlan, stateNameOf } from '../../../test-store/stores/android'
import { orderLines } from '../../../test-store/stores/android-orders'
import type { SimulatedNotification } from '../../../test-store/stores/android-push'
import { AndroidStore } from '../../../test-store/stores/android-store'
import type { AndroidFact } from './android-world.fixtures'

const plan = (productId: string, amountMicros: number): SimulatedPlan => ({
  productId,
  basePlanId: 'monthly',
  period: 'P1M',
  price: { amountMicros, currency: 'USD' },
  trialPeriod: 'P1W',
})

/** Plans of one month. Nothing of the catalogue has the last one. */
export const PLANS = [plan('pro', 9_990_000), plan('coach', 4_990_000), plan('unsold', 2_490_000)] as const

/** One-time products with the price of a unit in micros. Nothing of the catalogue has the last one. */
export const GOODS = { 'coins.100': 990_000, 'lifetime.one': 199_990_000, gift: 3_330_000 } as const
export type Good = keyof typeof GOODS

/** What an order charged for one product. */
export interface Charged {
  productId: string
  micros: number
  units: number
  /** Units that were refunded. */
  returned: number
}

export interface ItemsOrder {
  orderId: string
  token: string
  charged: Charged[]
  /** The whole order was refunded, or its access revoked. */
  isReturned: boolean
}

export interface ItemsChain {
  token: string
  isRevoked: boolean
  /** The order that was refunded with its access. */
  voidedOrderIds: string[]
  replacedBy: string | null
}

/** Google Play for one customer who buys several products at once. */
export class PlayItemsWorld {
  readonly clock: Clock & { at: number }
  readonly store: AndroidStore
  readonly chains: ItemsChain[] = []
  /** Tokens of one-time purchases. */
  readonly carts: string[] = []
  readonly orders: ItemsOrder[] = []
  #facts: AndroidFact[] = []

  constructor(
    startsAt: number,
    readonly name = 'items',
  ) {
    this.clock = { at: startsAt, now: () => this.clock.at }
    this.store = new AndroidStore(this.clock, name, (notification, at) => this.notify(notification, at))
  }

  get now(): number {
    return this.clock.at
  }

  notify(notification: SimulatedNotification, at = this.now): void {
    this.#facts.push({ kind: 'PUSH', notification, at })
  }

  post(token: string, productId: string): void {
    this.#facts.push({ kind: 'POST', token, productId, at: this.now })
  }

  get factCount(): number {
    return this.#facts.length
  }

  takeFacts(): AndroidFact[] {
    const facts = this.#facts
    this.#facts = []
    return facts
  }

  subscription(token: string): PlaySubscription {
    const subscription = this.store.subscriptions.get(token)
    if (!subscription) throw new Error('The stand-in sold no such subscription')
    return subscription
  }

  /** The order as the API answers; null when there is none. */
  order(orderId: string) {
    const token = this.store.tokenOfOrder(orderId) ?? this.orders.find((one) => one.orderId === orderId)?.token
    if (token === undefined) return null
    const { subscriptions, products } = this.store
    const purchase = { subscription: subscriptions.get(token), product: products.get(token), lost: [] }
    return { orderId, purchaseToken: token, ...orderLines(orderId, this.store.charges.get(orderId) ?? [], purchase) }
  }
}

export const currentChain = ({ chains }: PlayItemsWorld): ItemsChain | null => chains.at(-1) ?? null

export const stateOf = (world: PlayItemsWorld, { token }: ItemsChain): string => stateNameOf(world.subscription(token))

/** The items that the buyer has, without those that come with a later renewal. */
export const ownedItems = (world: PlayItemsWorld, { token }: ItemsChain): Item[] =>
  (world.subscription(token).resource.lineItems ?? []).filter(({ latestSuccessfulOrderId: id }) => id)

export const endOfItem = ({ expiryTime }: Item): number => Date.parse(expiryTime ?? '')

export const microsOf = ({ autoRenewingPlan }: Item): number => {
  const { units = '0', nanos = 0 } = autoRenewingPlan?.recurringPrice ?? {}
  return Number(units) * 1_000_000 + Number(nanos) / 1000
}
