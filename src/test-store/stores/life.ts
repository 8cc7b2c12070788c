import type { Money } from '../../base/lib/money'
import type { ProductType } from '../../stores/observation'
import type { SimulatedNotification as PlayNotification } from './android-push'
import type { SimulatedNotification as AppStoreNotification } from './notification'
import type { SimulatedEvent } from './payment-world'

export const SIMULATED_STORES = ['ios', 'android', 'payment'] as const
export type SimulatedStore = (typeof SIMULATED_STORES)[number]

/** A product's terms in a form that fits all three stores. */
export interface SimulatedTerms {
  /** Identifier in the project's catalogue. */
  identifier: string
  /** Id at the store. */
  productId: string
  /** Used by Google only. */
  basePlanId: string
  type: ProductType
  /** ISO 8601; null for one-time products. */
  period: string | null
  price: Money
  /** Length of the free trial that the purchase may start with. */
  trialPeriod: string
  /** Paid in months, for which the buyer has committed. */
  isCommitted?: boolean
}

/** The members of each purchase at the test store. */
export interface LifeBase {
  /** Original transaction id, purchase token, subscription or payment intent id. */
  id: string
  deviceKey: string
  terms: SimulatedTerms
  boughtAt: number
  /** When it last changed. Later changes are dated later, if only by a millisecond. */
  lastAt: number
}

export const TURNS = [
  'renew',
  'cancel',
  'uncancel',
  'billing-issue',
  'grace-expire',
  'recover',
  'pause',
  'resume',
  'refund',
  'reverse-refund',
  'revoke',
  'restore',
  'expire',
  'upgrade',
  'downgrade',
  'price-increase',
  'accept-price',
  'extend',
  'add-item',
  'remove-item',
  'schedule',
  'seats',
  'credit',
] as const

/** A change in the life of a purchase. `settle`: a payment that takes days has come in, or has failed. */
export type Turn = (typeof TURNS)[number] | 'settle'

export interface TurnOrder {
  turn: Turn
  now: number
  /** A unique text for the ids that the turn creates. */
  nextSeed: () => string
  /** The new terms of `upgrade`, `downgrade` and `schedule`, and those of `add-item`. */
  to?: SimulatedTerms | null
  /** The amount of `refund` in micros, when it is a part of the price; the amount of `credit`. */
  amountMicros?: number | null
  /** Of `refund`: the rest of the running period. Of `upgrade`: the new product costs that rest now. Google Play only. */
  isProrated?: boolean
  /** The product of a subscription with several that the turn is about, by its id at the store. */
  item?: string | null
  /** The days of `extend`. */
  days?: number | null
  /** The number of `seats`. */
  quantity?: number | null
  /** The new price of `price-increase`, in micros. */
  priceMicros?: number | null
  /** True = `billing-issue` without a grace period. */
  hasNoGrace?: boolean
  /** True = the payment that `settle` ends has failed. */
  hasFailed?: boolean
}

/** A message of a store about a turn, not signed yet. */
export type SimulatedNews =
  | { store: 'ios'; type: string; word: AppStoreNotification }
  | { store: 'android'; type: string; packageName: string; messageId: string; at: number; word: PlayNotification }
  | { store: 'payment'; type: string; word: SimulatedEvent }

/**
 * The purchases after a turn (an upgrade may start another one) and the messages of the store; or the reason why the
 * turn is impossible.
 */
export type Turned<Kind extends LifeBase> =
  | { ok: true; lives: Kind[]; told: SimulatedNews[] }
  | { ok: false; why: string }

export const refused = (why: string): { ok: false; why: string } => ({ ok: false, why })

/** The next turn that happens without a command, and when. */
export interface Due {
  at: number
  turn: Turn
}

/**
 * A future date, moved to an earlier instant by the time that the clock was advanced since the save. Past dates stay.
 */
export const movedEarlier = (at: number, { savedAt, shiftMs }: Redating): number =>
  at > savedAt ? Math.max(savedAt, at - shiftMs) : at

export interface Redating {
  savedAt: number
  shiftMs: number
}
