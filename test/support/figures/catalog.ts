import type { ProductType, Store } from '../../../src/stores/observation'

/** A product of a generated project. Each store has its own id for it. */
export interface Sold {
  identifier: string
  type: ProductType
  /** ISO 8601; null = the catalogue does not say it. */
  period: string | null
  /** How long a period lasts at the store. */
  days: number | null
  /** Micros in each currency. */
  price: number
}

/** Subscriptions of all lengths; the last two have no named period, and 45 days are no period at all. */
export const SUBSCRIPTIONS: readonly Sold[] = [
  { identifier: 'weekly', type: 'SUBSCRIPTION', period: 'P1W', days: 7, price: 2_990_000 },
  { identifier: 'monthly', type: 'SUBSCRIPTION', period: 'P1M', days: 30, price: 9_990_000 },
  { identifier: 'monthly_plus', type: 'SUBSCRIPTION', period: 'P1M', days: 31, price: 14_990_000 },
  { identifier: 'quarterly', type: 'SUBSCRIPTION', period: 'P3M', days: 91, price: 24_990_001 },
  { identifier: 'yearly', type: 'SUBSCRIPTION', period: 'P1Y', days: 365, price: 59_990_000 },
  { identifier: 'daily', type: 'SUBSCRIPTION', period: 'P3D', days: 3, price: 990_000 },
  { identifier: 'unnamed_month', type: 'SUBSCRIPTION', period: null, days: 28, price: 7_770_001 },
  { identifier: 'unnamed_half', type: 'SUBSCRIPTION', period: null, days: 182, price: 33_330_003 },
  { identifier: 'unnamed_odd', type: 'SUBSCRIPTION', period: null, days: 45, price: 12_340_000 },
]

export const ONE_TIME: readonly Sold[] = [
  { identifier: 'coins', type: 'CONSUMABLE', period: null, days: null, price: 1_990_000 },
  { identifier: 'lifetime', type: 'NON_CONSUMABLE', period: null, days: null, price: 99_990_000 },
]

const PREFIXES: Record<Store, string> = {
  IOS_STORE: 'com.example.figures.',
  ANDROID_STORE: 'android_',
  PAYMENT: 'web_',
  MANUAL: 'figures_',
}

export const storeProductIdOf = (store: Store, { identifier }: Sold): string => `${PREFIXES[store]}${identifier}`

const STORES: readonly Store[] = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT', 'MANUAL']

/** The period of each product of each store. */
export const PERIODS: Record<string, string | null> = Object.fromEntries(
  STORES.flatMap((store) =>
    [...SUBSCRIPTIONS, ...ONE_TIME].map((sold) => [storeProductIdOf(store, sold), sold.period]),
  ),
)
