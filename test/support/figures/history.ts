import type { Observation, ProductType, PurchaseEnvironment, Store } from '../../../src/stores/observation'

/** An observation with the instant at which we learned of it. */
export type Recorded = Observation & { recordedAt: number }

/** One purchase, with everything that its store reported. */
export interface Purchase {
  id: string
  subscriberId: string
  store: Store
  environment: PurchaseEnvironment
  productType: ProductType
  /** The product that the purchase has at last. */
  storeProductId: string
  /** ISO 8601 period of that product; null = not known. */
  productPeriod: string | null
  country: string | null
  platform: string | null
  /** What the app said was shown before; absent = nothing. */
  offering?: string
  placement?: string
  /** `experiment:variant` */
  variant?: string
  observations: Recorded[]
}

/** Dollars for one unit of a currency on a UTC day, as an exact decimal number. */
export interface Rate {
  day: string
  currency: string
  usdPerUnit: string
}

/** All that a project knows. Every figure is reckoned from this. */
export interface History {
  timezone: string
  rates: Rate[]
  /** Periods of the products by store product id. A purchase can have had other products than its present one. */
  products?: Record<string, string | null>
  purchases: Purchase[]
}

/** ASCII order, the same in every language of the machine. */
export const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

export const isoOf = (instant: number): string => new Date(instant).toISOString()

export const utcDayOf = (instant: number): string => isoOf(instant).slice(0, 10)
