import { AppError } from '../../base/errors'
import { findStoreProduct } from '../../people/purchases/store-product'
import { type Capability, hasCapability, type MemberRole } from '../../projects/doors/roles'
import type { ProjectState } from '../../projects/project/state'
import { joinAndroidId } from '../../stores/android/purchase-id'
import type { Buying } from '../driver/buy'

const CAPABILITY: Capability = 'credits:write'

/**
 * 403 `CAPABILITY_REQUIRED` when the purchase would book virtual currency and the role may not give any: balances do
 * not differ by environment, so the currency of a test purchase is real.
 */
export function refuseCurrency(role: MemberRole, { catalog }: ProjectState, buying: Pick<Buying, 'store' | 'terms'>) {
  if (hasCapability(role, CAPABILITY)) return
  const sold = productsOf(catalog, buying)
  if (sold.some((product) => product && catalog.grantsByProduct.has(product.id)))
    throw new AppError('CAPABILITY_REQUIRED', { role, capability: CAPABILITY })
}

/**
 * The product that was ordered and the one that the intake will find. They differ where the identifier of one product
 * is the store's id of another.
 */
function productsOf(catalog: ProjectState['catalog'], { store, terms }: Pick<Buying, 'store' | 'terms'>) {
  const { identifier, productId, basePlanId, type } = terms
  const atStore = {
    ios: () => findStoreProduct(catalog, productId, 'IOS_STORE'),
    android: () =>
      findStoreProduct(catalog, joinAndroidId(productId, type === 'SUBSCRIPTION' ? basePlanId : null), 'ANDROID_STORE'),
    payment: () => findStoreProduct(catalog, productId, 'PAYMENT'),
  }
  return [catalog.productByIdentifier.get(identifier), atStore[store]()]
}
