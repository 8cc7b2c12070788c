import { findStoreProduct } from '../../people/purchases/store-product'
import type { CatalogSnapshot, Product } from '../../projects/catalog/snapshot'
import { type AndroidSubscription, itemFor, type SubscriptionItem } from '../../stores/android/decode'
import type { AndroidProductType } from '../../stores/android/notification'
import { type AndroidProduct, type ProductItem, productItemFor } from '../../stores/android/product'
import { joinAndroidId, splitAndroidId } from '../../stores/android/purchase-id'

/** The products that a caller's `name` may mean: ours by identifier, and the store's by its id, one per base plan. */
export function namedProducts({ productByIdentifier, productsByAndroidId }: CatalogSnapshot, name: string): Product[] {
  const { productId, basePlanId } = splitAndroidId(name)
  const sold = (productId === '' ? null : productsByAndroidId.get(productId)) ?? []
  const meant = sold.filter((one) => basePlanId === null || one.androidBasePlanId === basePlanId)
  const own = productByIdentifier.get(name)
  return [...new Set([...(own ? [own] : []), ...meant])]
}

export const familyOf = ({ type }: Product): AndroidProductType => (type === 'SUBSCRIPTION' ? type : 'ONE_TIME')

export const storeIdOf = ({ androidId, identifier }: Product): string => androidId ?? identifier

/** The line item of one of the named products, with its base plan where the product has one. */
export function itemForProducts(subscription: AndroidSubscription, named: readonly Product[]): SubscriptionItem | null {
  for (const product of named) {
    const item = itemFor(subscription, storeIdOf(product))
    if (item && hasPlanOf(item, product)) return item
  }
  return null
}

/** Google omits the base plan from some answers, and from a product to which the subscription will change later. */
function hasPlanOf({ storeProductId, basePlanId }: SubscriptionItem, product: Product): boolean {
  const { androidBasePlanId } = product
  if (androidBasePlanId === null || basePlanId === null || storeProductId !== storeIdOf(product)) return true
  return androidBasePlanId === basePlanId
}

export function productItemForProducts(bought: AndroidProduct, named: readonly Product[]): ProductItem | null {
  for (const product of named) {
    const item = productItemFor(bought, storeIdOf(product))
    if (item) return item
  }
  return null
}

/** The item when no product is named: the one recorded before, else the first in the catalogue, else the first. */
export function usualItem(
  { items }: AndroidSubscription,
  catalog: CatalogSnapshot,
  heldId: string | null,
): SubscriptionItem | null {
  const held = heldId === null ? null : splitAndroidId(heldId).productId
  const isSold = ({ storeProductId, basePlanId }: SubscriptionItem) =>
    findStoreProduct(catalog, joinAndroidId(storeProductId, basePlanId), 'ANDROID_STORE') !== null
  return items.find(({ storeProductId }) => storeProductId === held) ?? items.find(isSold) ?? items[0] ?? null
}

export const usualProduct = (
  { items }: AndroidProduct,
  catalog: CatalogSnapshot,
  heldId: string | null,
): ProductItem | null =>
  items.find(({ storeProductId }) => storeProductId === heldId) ??
  items.find(({ storeProductId }) => findStoreProduct(catalog, storeProductId, 'ANDROID_STORE') !== null) ??
  items[0] ??
  null
