import type { LineKeys } from '../../../intake/recording/purchase-row'
import type { CatalogSnapshot } from '../../../projects/catalog/snapshot'
import type { Observation, ProductType, Store } from '../../../stores/observation'
import { computeEntitlements } from '../../entitlements/compute'
import type { GrantSource } from '../grants'
import type { PurchaseFold, TransactionLine } from '../model'
import { findStoreProduct } from '../store-product'

/** One line of a purchase, with all that is known of it. */
export interface HeldLine extends LineKeys {
  id: string
  store: Store
  chainKey: string
  type: ProductType
  known: readonly Observation[]
  fold: PurchaseFold
  money: readonly TransactionLine[]
}

/** What the grants of a line depend on. */
export function sourceOf(catalog: CatalogSnapshot, { id, store, type, chargeScope, money }: HeldLine): GrantSource {
  const productOf = (name: string) => findStoreProduct(catalog, name, store)?.id ?? ''
  const rowsOf: GrantSource['rowsOf'] = (name) => catalog.grantsByProduct.get(productOf(name)) ?? []
  return { purchaseId: id, productType: type, chargeScope, lines: money, rowsOf }
}

/** The accesses that are active at an instant, in order. */
export function accessesOf(catalog: CatalogSnapshot, lines: readonly HeldLine[], now: number): string[] {
  const grants = lines.map(({ id, store, fold }) => {
    const product = findStoreProduct(catalog, fold.storeProductId, store)
    const about = { purchaseId: id, store, environment: 'PRODUCTION' as const, fold }
    const { accessIds = [], identifier = 'unknown' } = product ?? {}
    return { ...about, accessIdentifiers: accessIds, productIdentifier: identifier }
  })
  return computeEntitlements(grants, now, true)
    .flatMap(({ access, isActive }) => (isActive ? [access] : []))
    .sort()
}
