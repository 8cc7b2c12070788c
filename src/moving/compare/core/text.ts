import { toIso } from '../../../base/lib/time'
import type { Entitlement } from '../../../people/entitlements/compute'
import type { OurPurchase, TheirEntitlement, TheirPurchase } from './model'
import { productText } from './products'

// How findings are worded. Instants are ISO 8601, so that both sides can be compared by eye.

export const endText = (end: number | null): string => (end === null ? 'never ends' : toIso(end))

const untilText = (end: number | null): string => (end === null ? 'for ever' : `until ${toIso(end)}`)

export const theirAccessText = (entitlement: TheirEntitlement, purchase: TheirPurchase | null): string =>
  [
    untilText(entitlement.end),
    entitlement.product === null ? '' : `by ${productText({ ...entitlement, product: entitlement.product })}`,
    purchase === null ? '' : `(${purchase.storeName})`,
  ]
    .filter((part) => part !== '')
    .join(' ')

export const ourAccessText = ({ expiresAt, productIdentifier, store }: Entitlement): string =>
  `${untilText(expiresAt)} by ${productIdentifier} (${store})`

export const theirPurchaseText = (their: TheirPurchase): string =>
  [
    `${productText(their)} (${their.storeName}) ${their.transactionId ?? ''}`.trim(),
    `of ${toIso(their.start)}`,
    untilText(their.end),
  ].join(', ')

export const ourPurchaseText = ({ store, state }: OurPurchase, end: number | null): string =>
  [
    `${state.storeProductId} (${store}) ${state.storeTransactionId}`,
    `of ${toIso(state.purchaseDate)}`,
    untilText(end),
  ].join(', ')

export const NO_ACCESS = 'no access'
export const NO_PURCHASE = 'no purchase'
