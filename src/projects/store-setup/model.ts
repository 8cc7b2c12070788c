import type { Context } from '../../base/context'
import type { ProjectState } from '../project/state'

export const STORE_NAMES = ['ios', 'android', 'payment'] as const
/** A store in paths and answers of the dashboard. */
export type StoreName = (typeof STORE_NAMES)[number]

export const findStoreName = (text: string): StoreName | null => STORE_NAMES.find((name) => name === text) ?? null

/** A base plan of a subscription of the Android store, or one way to buy its one-time product. */
export interface BasePlan {
  id: string
  /** ISO 8601 duration of one period; null = unknown. */
  period: string | null
  status: string
  offers: { id: string; status: string }[]
}

/** Something that a store sells, as the store describes it. */
export interface StoreProduct {
  storeId: string
  name: string
  /** `ONE_TIME`: the store does not say whether it is used up. */
  type: 'SUBSCRIPTION' | 'CONSUMABLE' | 'NON_CONSUMABLE' | 'ONE_TIME'
  basePlans: BasePlan[]
  /** The store's own word in capitals, such as `APPROVED` or `ACTIVE`. */
  status: string
  /** ISO 8601 duration of one period; null without a period, or where base plans have it. */
  period: string | null
}

/** Lists what one store sells. 400 `STORE_NOT_CONFIGURED` without usable credentials. */
export interface StoreCatalog {
  store: StoreName
  list(ctx: Context, project: ProjectState): Promise<StoreProduct[]>
}

declare module '../../base/state' {
  interface SliceHooks {
    storeCatalogs: readonly StoreCatalog[]
  }
}
