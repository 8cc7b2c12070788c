import { type JsonInteger, toJsonInteger } from '../../../../base/lib/int64'
import type { ProductType } from '../../../../stores/observation'
import { sectionKey } from '../../../project-file/model'
import type { GrantOn } from '../../tables'

export interface GrantState {
  currency: string
  amount: JsonInteger
  grantOn: GrantOn
}

export interface ProductState {
  type: ProductType
  displayName: string
  period: string | null
  storeIds: { ios: string | null; android: string | null; payment: string | null }
  androidBasePlanId: string | null
  androidOfferId: string | null
  accessIds: string[]
  isActive: boolean
  metadata: Record<string, unknown>
  /** Sorted by currency and trigger. */
  grants: GrantState[]
}

export const PRODUCTS = sectionKey<ProductState>('products', 'product')

export const toGrant = (currency: string, amount: bigint, grantOn: GrantOn): GrantState => ({
  currency,
  amount: toJsonInteger(amount),
  grantOn,
})

export const byCurrency = (a: GrantState, b: GrantState): number => (keyOf(a) < keyOf(b) ? -1 : 1)

const keyOf = ({ currency, grantOn }: GrantState): string => `${currency} ${grantOn}`
