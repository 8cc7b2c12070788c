import type { CatalogSnapshot, Product } from '../../projects/catalog/snapshot'
import type { ProjectState } from '../../projects/project/state'
import { splitAndroidId } from '../../stores/android/purchase-id'
import type { Store } from '../../stores/observation'
import type { PurchaseFold } from './model'
import type { PurchaseRow } from './queries'

/** The product that the store calls so: by its id at the store, or by its identifier when it has none there. */
export function findStoreProduct(
  catalog: CatalogSnapshot,
  storeProductId: string,
  store: Store = 'IOS_STORE',
): Product | null {
  if (store === 'ANDROID_STORE') return findAndroidProduct(catalog, storeProductId)
  // No store has a name of its own for what we grant.
  if (store === 'MANUAL') return catalog.products.get(storeProductId) ?? null
  const named = catalog.productByIdentifier.get(storeProductId)
  if (store === 'PAYMENT')
    return catalog.productByPaymentId.get(storeProductId) ?? (named?.paymentId === null ? named : null)
  return catalog.productByIosId.get(storeProductId) ?? (named?.iosId === null ? named : null)
}

/** Of the products with an Android id: the one of that base plan, else the one for any; untold, the only one there is. */
function findAndroidProduct(
  { productsByAndroidId, productByIdentifier }: CatalogSnapshot,
  storeProductId: string,
): Product | null {
  const { productId, basePlanId } = splitAndroidId(storeProductId)
  const sold = (productId === '' ? null : productsByAndroidId.get(productId)) ?? []
  const named = productByIdentifier.get(productId)
  const only = basePlanId === null && sold.length === 1 ? sold[0] : undefined
  const exact = sold.find(({ androidBasePlanId }) => androidBasePlanId === basePlanId)
  const any = sold.find(({ androidBasePlanId }) => androidBasePlanId === null)
  return exact ?? any ?? only ?? (named?.androidId === null ? named : null)
}

/**
 * The product of a fold; where the catalogue has no such store product any more, what the row made of the same one
 * before. Of another store product, whose access was for another time, the row tells nothing.
 */
export function productIdOf(
  { catalog }: Pick<ProjectState, 'catalog'>,
  store: Store,
  { storeProductId }: PurchaseFold,
  row: Pick<PurchaseRow, 'productId' | 'fold'> | null,
): string | null {
  const product = findStoreProduct(catalog, storeProductId, store)
  return product?.id ?? (row?.fold.storeProductId === storeProductId ? row.productId : null)
}
