import { AppError } from '../../base/errors'
import { findStoreProduct } from '../../people/purchases/store-product'
import type { Product } from '../../projects/catalog/snapshot'
import type { ProjectState } from '../../projects/project/state'
import type { CallRefusal, PlayAnswer } from '../../stores/android/answer'
import type { PlayClient } from '../../stores/android/client'
import { type AndroidSubscription, decodeSubscription, type SubscriptionItem } from '../../stores/android/decode'
import type { AndroidProductType } from '../../stores/android/notification'
import { reportReplaced, reportSubscription } from '../../stores/android/observe'
import { orderIdOf, splitOrderId } from '../../stores/android/order'
import { type AndroidProduct, decodeProduct, type ProductItem, reportProduct } from '../../stores/android/product'
import { joinAndroidId } from '../../stores/android/purchase-id'
import type { Observation, ProductType, PurchaseEnvironment, Report } from '../../stores/observation'

/** What Google said about one purchase token, in the form in which it is recorded. */
export interface AndroidLook {
  purchaseToken: string
  family: AndroidProductType
  environment: PurchaseEnvironment
  /** The product in the catalogue; null when the catalogue lacks it. */
  product: Product | null
  /** Google's product id, without the base plan. */
  storeProductId: string
  originalTransactionId: string
  /** `obfuscatedAccountId`, as Google keeps it. */
  account: string | null
  isAcknowledged: boolean
  startedAt: number
  fetchedAt: number
  /** The purchase that this one replaces, with the report of its end. */
  replaced: { purchaseToken: string; report: Report } | null
  /** The observations in this answer, given the known ones. Call it under the purchase's lock. */
  observe(known: readonly Observation[]): Observation[]
}

/** Instants that are in the notification, but not in what is fetched. */
export interface LookTimes {
  chargedAt: number | null
  revokedAt: number | null
  partlyRefundedAt: number | null
}

export type LookResult =
  | { kind: 'found'; look: AndroidLook }
  | { kind: 'not_paid' | 'cancelled' | 'mismatch' }
  | { kind: 'unreadable'; field: string }
  | CallRefusal

/** Which purchase to fetch, and which of its products to use. */
export interface LookOrder {
  purchaseToken: string
  family: AndroidProductType
  /** Required by the older API of one-time products. */
  storeProductId: string | null
  now: () => number
  times?: LookTimes
  pickItem(subscription: AndroidSubscription): SubscriptionItem | null
  pickProduct(product: AndroidProduct): ProductItem | null
}

/** The calls that read a purchase. */
export type PlayReader = Pick<PlayClient, 'getSubscriptionV2' | 'getProduct'>
type Catalogue = Pick<ProjectState, 'catalog'>

/** Fetches a purchase token from Google. No transaction may be open. */
export async function lookAt(client: PlayReader, project: Catalogue, order: LookOrder): Promise<LookResult> {
  const { purchaseToken, family, storeProductId } = order
  const answer: PlayAnswer<unknown> =
    family === 'SUBSCRIPTION'
      ? await client.getSubscriptionV2(purchaseToken)
      : await client.getProduct(purchaseToken, storeProductId)
  if (answer.kind !== 'ok') return answer
  return family === 'SUBSCRIPTION'
    ? readSubscription(project, order, answer.body)
    : readProduct(project, order, answer.body)
}

function readSubscription(project: Catalogue, order: LookOrder, body: unknown): LookResult {
  const result = decodeSubscription(body, order.purchaseToken)
  if (!result.ok) return result.reason === 'malformed' ? unreadable(result.field) : { kind: result.reason }
  const { subscription } = result
  const item = order.pickItem(subscription)
  if (!item) return { kind: 'mismatch' }
  return { kind: 'found', look: subscriptionLook(project, order, subscription, item) }
}

function subscriptionLook(
  project: Catalogue,
  { purchaseToken, now, times }: LookOrder,
  subscription: AndroidSubscription,
  item: SubscriptionItem,
): AndroidLook {
  const fetchedAt = now()
  // Each base plan is a product of its own in the catalogue.
  const named = { ...item, storeProductId: joinAndroidId(item.storeProductId, item.basePlanId) }
  const product = findStoreProduct(project.catalog, named.storeProductId, 'ANDROID_STORE')
  const period = product?.period ?? null
  const context = { fetchedAt, period, revokedAt: times?.revokedAt ?? null, chargedAt: chargedAt(times, period) }
  const { environment, isAcknowledged, startedAt } = subscription
  return {
    ...{ purchaseToken, family: 'SUBSCRIPTION', environment, product, isAcknowledged, startedAt, fetchedAt },
    storeProductId: item.storeProductId,
    originalTransactionId: splitOrderId(orderIdOf(item.orderId, purchaseToken)).base,
    account: subscription.account.obfuscatedAccountId,
    replaced: reportReplaced(subscription, fetchedAt),
    observe: (known) => reportSubscription(subscription, named, { ...context, known }),
  }
}

/** A known period gives a better start of the order: a late push may arrive when another order is the current one. */
const chargedAt = (times: LookTimes | undefined, period: string | null): number | null =>
  period === null ? (times?.chargedAt ?? null) : null

function readProduct(project: Catalogue, order: LookOrder, body: unknown): LookResult {
  const { purchaseToken, storeProductId } = order
  const result = decodeProduct(body, { purchaseToken, productId: storeProductId })
  if (!result.ok) return result.reason === 'malformed' ? unreadable(result.field) : { kind: result.reason }
  const item = order.pickProduct(result.product)
  if (!item) return { kind: 'mismatch' }
  return { kind: 'found', look: productLook(project, order, result.product, item) }
}

function productLook(
  { catalog }: Catalogue,
  { purchaseToken, now, times }: LookOrder,
  bought: AndroidProduct,
  item: ProductItem,
): AndroidLook {
  const fetchedAt = now()
  const { environment, transactionId, purchasedAt } = bought
  return {
    ...{ purchaseToken, family: 'ONE_TIME', environment, fetchedAt, startedAt: purchasedAt, replaced: null },
    product: findStoreProduct(catalog, item.storeProductId, 'ANDROID_STORE'),
    storeProductId: item.storeProductId,
    originalTransactionId: transactionId,
    account: bought.account.obfuscatedAccountId,
    // A consumed purchase needs no acknowledgement.
    isAcknowledged: bought.isAcknowledged || item.isConsumed,
    observe: (known) =>
      reportProduct(bought, item, { fetchedAt, known, partlyRefundedAt: times?.partlyRefundedAt ?? null }),
  }
}

const unreadable = (field: string): LookResult => ({ kind: 'unreadable', field })

/** The product type of a purchase. A one-time product that the catalogue lacks counts as NON_CONSUMABLE. */
export const typeOf = ({ product, family }: AndroidLook, held: ProductType | null): ProductType =>
  product?.type ?? held ?? (family === 'SUBSCRIPTION' ? 'SUBSCRIPTION' : 'NON_CONSUMABLE')

/** The error that refuses a receipt for this result (wire 2.7). */
export function receiptRefusal(result: Exclude<LookResult, { kind: 'found' }>): AppError {
  switch (result.kind) {
    case 'not_paid':
      return new AppError('purchase_not_paid')
    case 'cancelled':
      return receiptInvalid('it was cancelled')
    case 'mismatch':
      return receiptInvalid('it is for another product')
    case 'not_found':
      return receiptInvalid('the store does not know it')
    default:
      return storeFault(result)
  }
}

/** The error for a failed call to the store: 503 when it may work later, 502 when somebody must repair it. */
export function storeFault(result: LookResult | CallRefusal): AppError {
  const cause = new Error(`Google Play: ${describe(result)}`)
  return result.kind === 'unavailable'
    ? new AppError('STORE_UNAVAILABLE', undefined, { cause })
    : new AppError('STORE_API_ERROR', undefined, { cause })
}

function describe(result: LookResult | CallRefusal): string {
  if (result.kind === 'rejected') return `rejected (${result.why} ${result.status ?? ''} ${result.reason ?? ''})`
  if (result.kind === 'unavailable') return `unavailable (${result.why} ${result.status ?? ''})`
  return result.kind === 'unreadable' ? `unreadable at ${result.field}` : result.kind
}

const receiptInvalid = (reason: string): AppError =>
  new AppError('RECEIPT_INVALID', undefined, {
    message: `The receipt did not pass verification (${reason}); do not send it again`,
  })
