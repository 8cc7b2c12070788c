import type { CatalogSnapshot, Product } from '../catalog/snapshot'

/** The product that the store calls so: by its id at the store, or by its identifier when it has none there. */
export function findStoreProduct(
  { productByIosId, productByIdentifier }: CatalogSnapshot,
  storeProductId: string,
): Product | null {
  const named = productByIdentifier.get(storeProductId)
  return productByIosId.get(storeProductId) ?? (named?.iosId === null ? named : null)
}
