import type { Money } from '../../base/lib/money'
import type { ProductType } from '../../stores/observation'
import type { SimulatedNotification as PlayNotification } from './android-push'
import type { SimulatedNotification as AppStoreNotification } from './notification'
import type { SimulatedEvent } from './payment-world'

export const SIMULATED_STORES = ['ios', 'android', 'payment'] as const
export type SimulatedStore = (typeof SIMULATED_STORES)[number]

/** What a store sells, in words that fit all three. */
export interface SimulatedTerms {
  /** Identifier in the project's catalogue. */
  identifier: string
  /** Id at the store. */
  productId: string
  /** Only Google knows them. */
  basePlanId: string
  type: ProductType
  /** ISO 8601; null for what is bought once. */
  period: string | null
  price: Money
  /** Length of the free trial that a purchase may begin with. */
  trialPeriod: string
}

/** What every life at the test store has. */
export interface LifeBase {
  /** Original transaction id, purchase token, subscription or payment intent id. */
  id: string
  deviceKey: string
  terms: SimulatedTerms
  boughtAt: number
  /** When it last changed; what comes later is told as later, if only by a millisecond. */
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
  'expire',
  'upgrade',
  'downgrade',
  'price-increase',
  'accept-price',
  'extend',
] as const

/** A further turn in the life of a purchase. */
export type Turn = (typeof TURNS)[number]

export interface TurnOrder {
  turn: Turn
  now: number
  /** Anything unique, for the ids that the turn makes. */
  nextSeed: () => string
  /** For `upgrade` and `downgrade`. */
  to?: SimulatedTerms | null
  /** For `refund`: a part of the price, in micros. */
  amountMicros?: number | null
  /** For `extend`. */
  days?: number | null
  /** For `price-increase`, in micros. */
  priceMicros?: number | null
  /** For `billing-issue`: no grace period. */
  hasNoGrace?: boolean
}

/** What a store tells of a turn, not yet signed. */
export type SimulatedNews =
  | { store: 'ios'; type: string; word: AppStoreNotification }
  | { store: 'android'; type: string; packageName: string; messageId: string; at: number; word: PlayNotification }
  | { store: 'payment'; type: string; word: SimulatedEvent }

/** The lives as they are after a turn (an upgrade may begin another), and what the store tells; or why it cannot be. */
export type Turned<Kind extends LifeBase> =
  | { ok: true; lives: Kind[]; told: SimulatedNews[] }
  | { ok: false; why: string }

export const refused = (why: string): { ok: false; why: string } => ({ ok: false, why })

/** What will happen by itself next, and when. */
export interface Due {
  at: number
  turn: Turn
}

/** A date that lies ahead is brought nearer by what the clock was advanced since the life was saved. */
export const nearer = (at: number, { savedAt, shiftMs }: Redating): number =>
  at > savedAt ? Math.max(savedAt, at - shiftMs) : at

export interface Redating {
  savedAt: number
  shiftMs: number
}
