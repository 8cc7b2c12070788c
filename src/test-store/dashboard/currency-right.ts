import { AppError } from '../../base/errors'
import { type Capability, hasCapability, type MemberRole } from '../../core/roles/roles'
import { findStoreProduct } from '../../people/purchases/store-product'
import type { ProjectState } from '../../projects/project/state'
import { joinAndroidId } from '../../stores/android/purchase-id'
import type { Buying } from '../driver/buy'

const CAPABILITY: Capability = 'credits:write'

type Ordered = Pick<Buying, 'store' | 'terms' | 'others'>

/**
 * 403 `CAPABILITY_REQUIRED` when the purchase would book virtual currency and the role may not give any: balances do
 * not differ by environment, so the currency of a test purchase is real.
 */
export function refuseCurrency(role: MemberRole, { catalog }: ProjectState, buying: Ordered) {
  if (hasCapability(role, CAPABILITY)) return
  const { store, terms, others = [] } = buying
  const sold = [terms, ...others].flatMap((one) => productsOf(catalog, store, one))
  if (sold.some((product) => product && catalog.grantsByProduct.has(product.id)))
    throw new AppError('CAPABILITY_REQUIRED', { role, capability: CAPABILITY })
}

/**
 * A product that was ordered and the one that the intake will find. They differ where the identifier of one product
 * is the store's id of another.
 */
function productsOf(catalog: ProjectState['catalog'], store: Buying['store'], terms: Buying['terms']) {
  const { identifier, productId, basePlanId, type } = terms
  const atStore = {
    ios: () => findStoreProduct(catalog, productId, 'IOS_STORE'),
    android: () =>
      findStoreProduct(catalog, joinAndroidId(productId, type === 'SUBSCRIPTION' ? basePlanId : null), 'ANDROID_STORE'),
    payment: () => findStoreProduct(catalog, productId, 'PAYMENT'),
  }
  return [catalog.productByIdentifier.get(identifier), atStore[store]()]
}
