import type { CatalogSnapshot, Product } from '../../projects/catalog/snapshot'
import type { ProjectState } from '../../projects/project/state'
import { splitAndroidId } from '../../stores/android/purchase-id'
import type { Store } from '../../stores/observation'
import type { PurchaseFold } from './model'
import type { PurchaseRow } from './queries'

/** The product with this id at the store or, if it has no id there, with this identifier. */
export function findStoreProduct(
  catalog: CatalogSnapshot,
  storeProductId: string,
  store: Store = 'IOS_STORE',
): Product | null {
  if (store === 'ANDROID_STORE') return findAndroidProduct(catalog, storeProductId)
  // Grants exist at no store, so the product is found by its identifier.
  if (store === 'MANUAL') return catalog.products.get(storeProductId) ?? null
  const named = catalog.productByIdentifier.get(storeProductId)
  if (store === 'PAYMENT')
    return catalog.productByPaymentId.get(storeProductId) ?? (named?.paymentId === null ? named : null)
  return catalog.productByIosId.get(storeProductId) ?? (named?.iosId === null ? named : null)
}

/**
 * Of the products with this Android id: the one with the base plan, else the one for any base plan. Without a base
 * plan: the only one there is.
 */
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
 * The product of a fold. A row that has a product keeps it as long as it is about the same store product, also when the
 * store product id was removed from the catalogue or is another product's now. Else the catalogue decides.
 */
export function productIdOf(
  { catalog }: Pick<ProjectState, 'catalog'>,
  store: Store,
  { storeProductId }: PurchaseFold,
  row: Pick<PurchaseRow, 'productId' | 'fold'> | null,
): string | null {
  const kept = row?.fold.storeProductId === storeProductId ? row.productId : null
  return kept ?? findStoreProduct(catalog, storeProductId, store)?.id ?? null
}
