import type { Clock } from '../../../base/lib/clock'
import { type AndroidNotification, decodeNotification } from '../../../stores/android/notification'
import type { PlaySubscription, SimulatedPlan } from '../../../test-store/stores/android'
import { pushBody, type SimulatedNotification } from '../../../test-store/stores/android-push'
import { AndroidStore } from '../../../test-store/stores/android-store'

/** The products of Google Play; ids and prices are those of the cast in `test/support`. */
export const PLAY_SHOP = {
  monthly: {
    productId: 'pro',
    basePlanId: 'monthly',
    period: 'P1M',
    price: { amountMicros: 9_990_000, currency: 'USD' },
    trialPeriod: 'P1W',
  },
  yearly: {
    productId: 'pro',
    basePlanId: 'yearly',
    period: 'P1Y',
    price: { amountMicros: 79_990_000, currency: 'USD' },
    trialPeriod: 'P2W',
  },
  coins: 'coins.100',
  lifetime: 'lifetime.one',
} as const satisfies Record<string, SimulatedPlan | string>

/** A message to us: a push of the store, or a purchase token from a device. */
export type AndroidFact =
  | { kind: 'PUSH'; notification: SimulatedNotification; at: number }
  | { kind: 'POST'; token: string; productId: string; at: number }

/** The content of a push. */
export function readPush({ notification, at }: Extract<AndroidFact, { kind: 'PUSH' }>): AndroidNotification {
  const { message } = JSON.parse(pushBody('com.example.sleep', notification, { messageId: '1', now: at }))
  const result = decodeNotification(JSON.parse(Buffer.from(message.data, 'base64').toString()))
  if (!result.ok) throw new Error(`The push is malformed at ${result.field}`)
  return result.notification
}

/** One order of a subscription, with the data of the store. */
export interface PlayOrder {
  orderId: string
  productId: string
  /** Null where no answer of the API has the price. */
  micros: number | null
  isTrial: boolean
  how: 'FIRST' | 'RENEWAL' | 'CHANGE'
  isVoided: boolean
  /** It was refunded, by a refund of its own or together with its access. */
  isReturned: boolean
}

export interface PlayChain {
  token: string
  orders: PlayOrder[]
  plan: SimulatedPlan
  isRevoked: boolean
  /** Token of the purchase that replaced it. */
  replacedBy: string | null
}

export interface PlayItem {
  token: string
  productId: string
  quantity: number
  left: number
  isPaid: boolean
}

/** Google Play for one customer: the stand-in, its notifications, and facts that the API does not give. */
export class PlayWorld {
  readonly clock: Clock & { at: number }
  readonly store: AndroidStore
  readonly chains: PlayChain[] = []
  readonly items: PlayItem[] = []
  #facts: AndroidFact[] = []

  /** `name` is the name of the customer's account, and the seed of tokens and orders. */
  constructor(
    startsAt: number,
    readonly name = 'law',
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

  /** The device sends a purchase token. */
  post(token: string, productId: string): void {
    this.#facts.push({ kind: 'POST', token, productId, at: this.now })
  }

  get factCount(): number {
    return this.#facts.length
  }

  /** The facts since the last call. */
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

  /** Changes the API's data about a subscription in ways for which the stand-in has no turn. */
  amend(token: string, change: (subscription: PlaySubscription) => PlaySubscription): void {
    this.store.subscriptions.set(token, change(this.subscription(token)))
  }
}

export const stateOf = (world: PlayWorld, token: string): string =>
  (world.subscription(token).resource.subscriptionState ?? '').replace('SUBSCRIPTION_STATE_', '')

export const itemOf = (world: PlayWorld, token: string) => world.subscription(token).resource.lineItems?.[0] ?? {}

export const expiryOf = (world: PlayWorld, token: string): number => Date.parse(itemOf(world, token).expiryTime ?? '')

export const currentChain = ({ chains }: PlayWorld): PlayChain | null => chains.at(-1) ?? null

type Member = NonNullable<PlaySubscription['resource']['lineItems']>[number]

export const withItem =
  (change: (item: Member) => Member) =>
  (subscription: PlaySubscription): PlaySubscription => {
    const [item = {}] = subscription.resource.lineItems ?? []
    return { ...subscription, resource: { ...subscription.resource, lineItems: [change(item)] } }
  }

export const asIntroductory = withItem((item) => ({
  ...item,
  offerPhase: { introductoryPrice: {} },
  offerDetails: { ...item.offerDetails, offerId: 'welcome' },
}))
