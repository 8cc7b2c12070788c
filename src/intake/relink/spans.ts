import type { AwaitedSpan } from '../../people/purchases/waiting-queries'
import type { Product } from '../../projects/catalog/snapshot'

/** The stores whose purchases can wait for a product. */
export const AWAITED_STORES = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const

/** Every store product of the project. */
export const ALL_SPANS: readonly AwaitedSpan[] = AWAITED_STORES.map((store) => ({ store, from: '', until: null }))

/** Greater than every character of a base plan's id. */
const LAST = '~'

/**
 * The store product ids by which `findStoreProduct` can find a product: its id at each store, or its identifier where
 * it has none. Each base plan of an Android product has an id of its own, `pro:monthly`.
 */
export function spansOf({ identifier, iosId, androidId, paymentId }: Product): AwaitedSpan[] {
  const android = androidId ?? identifier
  return [
    exactly('IOS_STORE', iosId ?? identifier),
    exactly('ANDROID_STORE', android),
    { store: 'ANDROID_STORE', from: `${android}:`, until: `${android}:${LAST}` },
    exactly('PAYMENT', paymentId ?? identifier),
  ]
}

const exactly = (store: AwaitedSpan['store'], id: string): AwaitedSpan => ({ store, from: id, until: id })
