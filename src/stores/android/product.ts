import { Value } from '@sinclair/typebox/value'
import { countryCode } from '../../base/lib/countries'
import type { Money } from '../../base/lib/money'
import { accountTokenOf } from '../account-token'
import type { Marker, Observation, PurchaseEnvironment, Report, TransactionPart } from '../observation'
import type { StoreAccount } from './decode'
import { knownPart, orderIdOf } from './order'
import type { PaidOrder } from './paid-order'
import { ProductResourceV1, ProductResourceV2 } from './resource'
import { firstProblem, instantOf, type Malformed, malformed, millisOf, textOf } from './values'
import { partialRefundMarker, refundedUnits, refundMarker } from './voided'

export interface ProductItem {
  storeProductId: string
  offerId: string | null
  quantity: number
  /** Units that were not refunded; null when Google does not say. */
  refundableQuantity: number | null
  isConsumed: boolean
}

/** A paid one-time purchase. Only its order has its price. */
export interface AndroidProduct {
  /** Identifies the purchase (wire 4.2). */
  purchaseToken: string
  environment: PurchaseEnvironment
  transactionId: string
  purchasedAt: number
  items: readonly ProductItem[]
  /** The country of the storefront; null where Google does not name it. */
  country: string | null
  account: StoreAccount
  isAcknowledged: boolean
}

/** `cancelled`: the purchase was cancelled, before or after its payment. `not_paid`: it may still be paid. */
export type ProductResult =
  | { ok: true; product: AndroidProduct }
  | { ok: false; reason: 'not_paid' | 'cancelled' }
  | Malformed

/** What Google was asked for. `productId` is part of the older request, whose answer may omit it. */
export interface ProductRequest {
  purchaseToken: string
  productId: string | null
}

/** Reads a ProductPurchaseV2 or, when the older API answered, a ProductPurchase. */
export function decodeProduct(resource: unknown, request: ProductRequest): ProductResult {
  if (Value.Check(ProductResourceV2, resource)) return readV2(resource, request)
  if (Value.Check(ProductResourceV1, resource)) return readV1(resource, request)
  const isOlder = typeof resource === 'object' && resource !== null && 'purchaseState' in resource
  return malformed(firstProblem(isOlder ? ProductResourceV1 : ProductResourceV2, resource))
}

export const productItemFor = ({ items }: AndroidProduct, storeProductId: string): ProductItem | null =>
  items.find((item) => item.storeProductId === storeProductId) ?? null

export interface ProductFetchContext {
  fetchedAt: number
  /** All stored observations of the purchase (its token). */
  known: readonly Observation[]
  /** Event time of the notification about a refund of some units that caused the fetch, if one did. */
  partlyRefundedAt?: number | null
  /** Its order, where Google reported it. */
  order?: PaidOrder | null
}

/**
 * The observations from a fetched one-time purchase. It does not change after the sale, so each fetch gives the same
 * report.
 */
export function reportProduct(product: AndroidProduct, item: ProductItem, context: ProductFetchContext): Observation[] {
  const { transactionId, purchasedAt } = product
  const price = priceOf(product, item, context)
  const transaction: TransactionPart = {
    transactionId,
    storeProductId: item.storeProductId,
    purchaseDate: purchasedAt,
    originalPurchaseDate: purchasedAt,
    expiresAt: null,
    isTrial: false,
    isIntroOffer: false,
    offerId: item.offerId,
    price,
    ...(product.country !== null && { country: product.country }),
    quantity: Math.max(item.quantity, 1),
    ownershipType: 'PURCHASED',
    reason: 'PURCHASE',
  }
  const report: Report = { kind: 'REPORT', id: transactionId, eventAt: context.fetchedAt, transaction }
  return [report, ...partialRefunds(product, item, price, context)]
}

/** What was paid for all units; null when it is not known. */
function priceOf(
  { transactionId }: AndroidProduct,
  { storeProductId }: ProductItem,
  { known, order }: ProductFetchContext,
): Money | null {
  const total = order?.products.get(storeProductId)?.total
  return total ?? knownPart(known, { transactionId, storeProductId })?.price ?? null
}

/** The units refunded since the last such marker. When none are left, the marker is a full refund. */
function partialRefunds(
  { transactionId }: AndroidProduct,
  { quantity, refundableQuantity }: ProductItem,
  price: Money | null,
  { known, partlyRefundedAt }: ProductFetchContext,
): Marker[] {
  if (!partlyRefundedAt || refundableQuantity === null || refundableQuantity >= quantity) return []
  if (refundableQuantity === 0) return [refundMarker(transactionId, partlyRefundedAt)]
  const units = { from: refundedUnits(known, transactionId), to: quantity - refundableQuantity, of: quantity }
  return partialRefundMarker(transactionId, partlyRefundedAt, units, price)
}

function readV2(resource: ProductResourceV2, { purchaseToken }: ProductRequest): ProductResult {
  const state = resource.purchaseStateContext.purchaseState
  if (state === 'CANCELLED' || state === 'CANCELED') return { ok: false, reason: 'cancelled' }
  if (state !== 'PURCHASED') return { ok: false, reason: 'not_paid' }
  const purchasedAt = instantOf(resource.purchaseCompletionTime)
  const items = (resource.productLineItem ?? []).map(({ productId, productOfferDetails: offer }) => ({
    storeProductId: productId,
    offerId: textOf(offer?.offerId),
    quantity: offer?.quantity ?? 1,
    refundableQuantity: offer?.refundableQuantity ?? null,
    isConsumed: offer?.consumptionState === 'CONSUMPTION_STATE_CONSUMED',
  }))
  if (purchasedAt === null) return malformed('purchaseCompletionTime')
  if (items.length === 0) return malformed('productLineItem')
  return {
    ok: true,
    product: {
      ...commonMembers(resource, purchaseToken),
      environment: resource.testPurchaseContext ? 'SANDBOX' : 'PRODUCTION',
      purchasedAt,
      items,
      isAcknowledged: resource.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED',
    },
  }
}

function readV1(resource: ProductResourceV1, { purchaseToken, productId }: ProductRequest): ProductResult {
  if (resource.purchaseState === 1) return { ok: false, reason: 'cancelled' }
  if (resource.purchaseState !== 0) return { ok: false, reason: 'not_paid' }
  const purchasedAt = millisOf(resource.purchaseTimeMillis)
  const storeProductId = textOf(resource.productId) ?? productId
  if (purchasedAt === null) return malformed('purchaseTimeMillis')
  if (storeProductId === null) return malformed('productId')
  const item: ProductItem = {
    storeProductId,
    offerId: null,
    quantity: resource.quantity ?? 1,
    refundableQuantity: resource.refundableQuantity ?? null,
    isConsumed: resource.consumptionState === 1,
  }
  return {
    ok: true,
    product: {
      ...commonMembers(resource, purchaseToken),
      environment: resource.purchaseType === 0 ? 'SANDBOX' : 'PRODUCTION',
      purchasedAt,
      items: [item],
      isAcknowledged: resource.acknowledgementState === 1,
    },
  }
}

const commonMembers = (resource: ProductResourceV1 | ProductResourceV2, purchaseToken: string) => ({
  purchaseToken,
  country: countryCode(resource.regionCode ?? ''),
  transactionId: orderIdOf(textOf(resource.orderId), purchaseToken),
  account: {
    obfuscatedAccountId: accountTokenOf(textOf(resource.obfuscatedExternalAccountId)),
    obfuscatedProfileId: textOf(resource.obfuscatedExternalProfileId),
  },
})
