import type { CatalogSnapshot, Product } from '../../projects/catalog/snapshot'
import { type AndroidSubscription, itemFor, type SubscriptionItem } from '../../stores/android/decode'
import type { AndroidProductType } from '../../stores/android/notification'
import type { AndroidProduct } from '../../stores/android/product'
import { splitAndroidId } from '../../stores/android/purchase-id'

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

/** Whether a subscription has one of the named products, with its base plan where the product has one. */
export const hasItemOf = (subscription: AndroidSubscription, named: readonly Product[]): boolean =>
  named.some((product) => {
    const item = itemFor(subscription, storeIdOf(product))
    return item !== null && hasPlanOf(item, product)
  })

/** Google omits the base plan from some answers, and from a product to which the subscription will change later. */
function hasPlanOf({ storeProductId, basePlanId }: SubscriptionItem, product: Product): boolean {
  const { androidBasePlanId } = product
  if (androidBasePlanId === null || basePlanId === null || storeProductId !== storeIdOf(product)) return true
  return androidBasePlanId === basePlanId
}

export const hasProductOf = ({ items }: AndroidProduct, named: readonly Product[]): boolean =>
  named.some((product) => items.some(({ storeProductId }) => storeProductId === storeIdOf(product)))
