import { findStoreProduct } from '../../../people/purchases/store-product'
import type { CatalogSnapshot } from '../../../projects/catalog/snapshot'
import { joinAndroidId, splitAndroidId } from '../../../stores/android/purchase-id'
import type { Comparison, OurPurchase, TheirEntitlement, TheirPurchase } from './model'

type TheirProduct = Pick<TheirPurchase, 'product' | 'plan' | 'store'>

/** The product as their store names it: Google's base plan behind a colon. */
export const productText = ({ product, plan }: Pick<TheirProduct, 'product' | 'plan'>): string =>
  joinAndroidId(product, plan)

/**
 * Whether both name one product: by the store's id, or through our catalogue. A product without a plan there is any
 * plan of that subscription.
 */
export function isSameProduct(
  { catalog }: Pick<Comparison, 'catalog'>,
  their: TheirProduct,
  our: OurPurchase,
): boolean {
  if (isSameStoreProduct(their, our.state.storeProductId)) return true
  if (our.productId === null) return false
  // The service names products of some stores by our own identifier.
  const found = findStoreProduct(catalog as CatalogSnapshot, productText(their), their.store ?? our.store)
  return found?.id === our.productId
}

function isSameStoreProduct(their: TheirProduct, storeProductId: string): boolean {
  if (storeProductId === productText(their)) return true
  const [a, b] = [splitAndroidId(productText(their)), splitAndroidId(storeProductId)]
  return a.productId === b.productId && (a.basePlanId === null || b.basePlanId === null)
}

/** Of two kinds of ids of the payment provider it is not known whether they mean the same product. */
export const isComparable = (their: TheirProduct, { state, productIdentifier }: OurPurchase): boolean =>
  !(/^prod_/.test(their.product) && /^price_/.test(state.storeProductId)) && productIdentifier !== ''

/** The purchase behind an access of theirs; null when they do not list one. */
export function purchaseBehind(
  { product, plan, end }: TheirEntitlement,
  purchases: readonly TheirPurchase[],
): TheirPurchase | null {
  if (product === null) return null
  const named = purchases.filter((purchase) => purchase.product === product)
  const ofPlan = named.filter((purchase) => purchase.plan === plan)
  const subscriptions = (ofPlan.length > 0 ? ofPlan : named).filter(({ isSubscription }) => isSubscription)
  const exact = subscriptions.find((purchase) => purchase.end === end)
  return exact ?? subscriptions[0] ?? newest(named)
}

const newest = (purchases: readonly TheirPurchase[]): TheirPurchase | null =>
  purchases.toSorted((a, b) => b.start - a.start)[0] ?? null
