import { joinAndroidId } from '../../stores/android/purchase-id'
import type { Store } from '../../stores/observation'
import type { PurchaseImages } from './event'
import type { FormatProduct, VendorFacts } from './facts'

/** The vendor's names of the stores. */
const STORES: Record<Store, string> = {
  IOS_STORE: 'APP_STORE',
  ANDROID_STORE: 'PLAY_STORE',
  PAYMENT: 'STRIPE',
  MANUAL: 'PROMOTIONAL',
}

/** The `store` of a purchase, and the `app_id`: a grant belongs to no app. */
export const storeMembers = (projectId: string, store: Store) => ({
  ...(store === 'MANUAL' ? {} : { app_id: projectId }),
  store: STORES[store],
})

/** A product as the store names it. Google's subscriptions have the base plan behind a colon: `pro:monthly`. */
export function storeProductIdOf(product: FormatProduct | undefined, store: Store): string | null {
  if (!product) return null
  if (store === 'IOS_STORE') return product.iosId
  if (store === 'PAYMENT') return product.paymentId
  if (store === 'MANUAL' || product.androidId === null) return null
  return joinAndroidId(product.androidId, product.isSubscription ? product.androidBasePlanId : null)
}

interface SoldProduct {
  store: Store
  productId: string | null
  storeProductId: string
}

/** The store's id of a product that was sold: as the store named it, with the base plan that the catalogue knows. */
export function soldProductId({ store, productId, storeProductId }: SoldProduct, { products }: VendorFacts): string {
  const product = productId === null ? undefined : products[productId]
  const listed = store === 'ANDROID_STORE' && product?.androidId === storeProductId ? product : undefined
  return storeProductIdOf(listed, store) ?? storeProductId
}

/** `product_id` of an event of a purchase: for a change of product the old one, for a grant our identifier. */
export function productIdMember(
  images: PurchaseImages,
  data: Record<string, unknown>,
  isChange: boolean,
  facts: VendorFacts,
): string {
  const { before, after } = images
  if (after.store === 'MANUAL') return after.productIdentifier
  if (!isChange) return soldProductId(after, facts)
  if (before !== null) return soldProductId(before, facts)
  return storeProductIdOf(productNamed(data.fromProductId, facts), after.store) ?? soldProductId(after, facts)
}

/**
 * `new_product_id` of a change of product. Google's receivers get it only for a change at the end of the period; at
 * once, the new purchase tells it.
 */
export function newProductMember({ after }: PurchaseImages, data: Record<string, unknown>, facts: VendorFacts) {
  const isTold = after.store === 'IOS_STORE' || data.effective === 'NEXT_PERIOD'
  const wanted =
    data.effective === 'NOW'
      ? soldProductId(after, facts)
      : storeProductIdOf(productNamed(data.toProductId, facts), after.store)
  return isTold && wanted !== null ? { new_product_id: wanted } : {}
}

const productNamed = (id: unknown, { products }: VendorFacts): FormatProduct | undefined =>
  typeof id === 'string' ? products[id] : undefined

/** The access that a purchase gives; null when it gives none. */
export function accessOf(productId: string | null, { products, purchase }: VendorFacts): readonly string[] | null {
  const access = purchase?.grantedAccess ?? (productId === null ? [] : (products[productId]?.access ?? []))
  return access.length > 0 ? access : null
}
