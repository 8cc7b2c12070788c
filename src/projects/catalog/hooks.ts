import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { ProductType } from '../../stores/observation'
import type { CatalogStore } from './rules'

export interface StoreBasePlan {
  id: string
  period: string | null
}

/** A product as a store lists it. */
export interface StoreCatalogItem {
  storeId: string
  name: string
  type: ProductType
  /** Of subscriptions of the Android store; empty elsewhere. */
  basePlans: readonly StoreBasePlan[]
  status: string
  /** ISO 8601, as the store gives it; null without one, and where base plans have it. */
  period: string | null
}

/** Who holds a currency, and how much of it exists. */
export interface CurrencyTotals {
  /** Subscribers with a balance above 0. */
  holders: number
  /** The sum of all balances; it may exceed 64 bits. */
  total: bigint
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Throws 400 `PAYMENT_PRICE_NOT_FOUND` when the connected payment account lacks the price. Calls the provider. */
    checkPaymentPrice: (ctx: Context, projectId: string, priceId: string) => Promise<void>
    /** All that a store sells for the project. Calls the store. 400 `STORE_NOT_CONFIGURED` without credentials. */
    storeCatalog: (ctx: Context, projectId: string, store: CatalogStore) => Promise<readonly StoreCatalogItem[]>
    /** By currency id; currencies that were never held are absent. */
    currencyTotals: (handle: Handle, currencyIds: readonly string[]) => Promise<ReadonlyMap<string, CurrencyTotals>>
  }
}
