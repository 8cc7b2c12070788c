import { AppError } from '../../base/errors'
import { findStoreProduct } from '../../people/purchases/store-product'
import type { Product } from '../../projects/catalog/snapshot'
import type { ProjectState } from '../../projects/project/state'
import type { CallRefusal, PlayAnswer } from '../../stores/android/answer'
import type { PlayClient } from '../../stores/android/client'
import { type AndroidSubscription, decodeSubscription, type SubscriptionItem } from '../../stores/android/decode'
import type { AndroidProductType } from '../../stores/android/notification'
import { reportReplaced, reportSubscription } from '../../stores/android/observe'
import { type FetchContext, isOrderId, orderIdOf, splitOrderId } from '../../stores/android/order'
import { type AndroidProduct, decodeProduct, type ProductItem, reportProduct } from '../../stores/android/product'
import { joinAndroidId } from '../../stores/android/purchase-id'
import type { Observation, ProductType, PurchaseEnvironment, Report } from '../../stores/observation'
import {
  type LookRefunds,
  lastPartAt,
  lostCharges,
  lostOf,
  type PaidOrder,
  type PaidOrders,
  type RecordedCharge,
  refundsOf,
} from './look-refunds'

/** What Google reported about one purchase token, in the form in which it is recorded. */
export interface AndroidLook {
  purchaseToken: string
  family: AndroidProductType
  environment: PurchaseEnvironment
  /** The products of the purchase that the buyer owns, at least one, in Google's order. */
  lines: readonly AndroidLine[]
  originalTransactionId: string
  /** `obfuscatedAccountId`, as Google keeps it. */
  account: string | null
  isAcknowledged: boolean
  startedAt: number
  fetchedAt: number
  /** The purchase that this one replaces, with the report of its end. */
  replaced: { purchaseToken: string; report: Report } | null
  /** Refunds of orders of the purchase that were read. */
  refunds: readonly LookRefunds[]
}

/** What Google reported about one product of a purchase. */
export interface AndroidLine {
  /** Google's product id, without the base plan. A change of base plan or offer stays in its line. */
  lineKey: string
  /** With the base plan: each base plan is a product of its own in the catalogue. */
  storeProductId: string
  /** The product in the catalogue; null when the catalogue lacks it. */
  product: Product | null
  /** Google's id of the product of the earlier purchase that this one replaced, where the answer names it. */
  replacedProductId: string | null
  /** The observations in this answer, given the known ones of this line. Call it under the purchase's lock. */
  observe(known: readonly Observation[]): Observation[]
}

/** Instants that are in the notification, but not in the fetched purchase. */
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

/** Which purchase to fetch. */
export interface LookOrder {
  purchaseToken: string
  family: AndroidProductType
  /** Required by the older API of one-time products. */
  storeProductId: string | null
  now: () => number
  times?: LookTimes
  /** The order of its first charge, where the purchase is recorded. A charge of another order is a later one. */
  firstOrderId?: string | null
  /** Whether an order of a product is recorded, so that it need not be fetched; absent = none is. */
  isRecorded?: (orderId: string, productId: string) => boolean
  /** The newest charge of each recorded line. */
  charges?: readonly RecordedCharge[]
  /** Reads the orders of these charges again, for refunds of which no notification came. */
  readsRefunds?: boolean
  /** Whether the purchase contains what the caller named; absent = the caller named nothing. */
  isNamed?: { subscription(found: AndroidSubscription): boolean; product(found: AndroidProduct): boolean }
}

/** The calls that read a purchase. A reader without `getPaidOrder` fetches no orders. */
export type PlayReader = Pick<PlayClient, 'getSubscriptionV2' | 'getProduct'> &
  Partial<Pick<PlayClient, 'getPaidOrder'>>
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
    ? readSubscription(client, project, order, answer.body)
    : readProduct(client, project, order, answer.body)
}

interface PaidItem {
  orderId: string | null
  storeProductId: string
}

/** Fetches each order of the items once. */
async function fetchOrders(
  client: PlayReader,
  { purchaseToken, isRecorded }: LookOrder,
  items: readonly PaidItem[],
  again: readonly RecordedCharge[],
): Promise<{ kind: 'ok'; orders: PaidOrders } | CallRefusal> {
  const orders = new Map<string, PaidOrder>()
  const unknown = items.flatMap(({ orderId, storeProductId }) =>
    orderId && isOrderId(orderId) && !isRecorded?.(orderId, storeProductId) ? [orderId] : [],
  )
  const refunded = again.map(({ orderId }) => orderId).filter(isOrderId)
  for (const orderId of new Set([...unknown, ...refunded])) {
    const answer = await client.getPaidOrder?.(orderId, purchaseToken)
    if (answer && answer.kind !== 'ok') return answer
    if (answer?.body) orders.set(orderId, answer.body)
  }
  return { kind: 'ok', orders }
}

async function readSubscription(
  client: PlayReader,
  project: Catalogue,
  order: LookOrder,
  body: unknown,
): Promise<LookResult> {
  const result = decodeSubscription(body, order.purchaseToken)
  if (!result.ok) return result.reason === 'malformed' ? unreadable(result.field) : { kind: result.reason }
  const { subscription } = result
  if (order.isNamed && !order.isNamed.subscription(subscription)) return { kind: 'mismatch' }
  const lost = lostCharges(order.charges ?? [], subscription, order.now())
  const isAsked = order.readsRefunds || (order.times?.revokedAt ?? null) !== null
  const fetched = await fetchOrders(client, order, subscription.items, isAsked ? (order.charges ?? []) : lost)
  if (fetched.kind !== 'ok') return fetched
  const look = subscriptionLook(project, order, subscription, fetched.orders)
  return { kind: 'found', look: { ...look, refunds: refundsOf(fetched.orders, lostOf(subscription, look.fetchedAt)) } }
}

function subscriptionLook(
  project: Catalogue,
  order: LookOrder,
  subscription: AndroidSubscription,
  orders: PaidOrders,
): AndroidLook {
  const { purchaseToken } = order
  const fetchedAt = order.now()
  const { environment, isAcknowledged, startedAt, items } = subscription
  const firstOrderId = order.firstOrderId ?? items[0]?.orderId ?? null
  const toLine = (item: SubscriptionItem) => {
    const paid = orders.get(item.orderId ?? '') ?? null
    return subscriptionLine(project, { ...order, firstOrderId }, subscription, item, { fetchedAt, order: paid })
  }
  return {
    ...{ purchaseToken, family: 'SUBSCRIPTION', environment, isAcknowledged, startedAt, fetchedAt },
    lines: items.map(toLine),
    originalTransactionId: splitOrderId(orderIdOf(firstOrderId, purchaseToken)).base,
    account: subscription.account.obfuscatedAccountId,
    replaced: reportReplaced(subscription, fetchedAt),
    refunds: [],
  }
}

function subscriptionLine(
  { catalog }: Catalogue,
  { times, firstOrderId = null }: LookOrder,
  subscription: AndroidSubscription,
  item: SubscriptionItem,
  fetched: Pick<FetchContext, 'order' | 'fetchedAt'>,
): AndroidLine {
  const { storeProductId: lineKey, replacedProductId } = item
  const storeProductId = joinAndroidId(lineKey, item.basePlanId)
  const product = findStoreProduct(catalog, storeProductId, 'ANDROID_STORE')
  const period = product?.period ?? null
  const revokedAt = isRevoked(subscription, item, fetched.fetchedAt) ? (times?.revokedAt ?? null) : null
  const context = { ...fetched, period, revokedAt, firstOrderId, chargedAt: chargedAt(times, period) }
  const named = { ...item, storeProductId }
  const observe: AndroidLine['observe'] = (known) => reportSubscription(subscription, named, { ...context, known })
  return { lineKey, storeProductId, product, replacedProductId, observe }
}

/** A revocation applies to the products that have ended. When none has ended, it applies to all of them. */
const isRevoked = ({ items }: AndroidSubscription, { expiresAt }: SubscriptionItem, at: number): boolean =>
  expiresAt <= at || items.every((other) => other.expiresAt > at)

/** A known period gives a better start of the order: a late push may arrive when another order is the current one. */
const chargedAt = (times: LookTimes | undefined, period: string | null): number | null =>
  period === null ? (times?.chargedAt ?? null) : null

async function readProduct(
  client: PlayReader,
  project: Catalogue,
  order: LookOrder,
  body: unknown,
): Promise<LookResult> {
  const { purchaseToken, storeProductId } = order
  const result = decodeProduct(body, { purchaseToken, productId: storeProductId })
  if (!result.ok) return result.reason === 'malformed' ? unreadable(result.field) : { kind: result.reason }
  if (order.isNamed && !order.isNamed.product(result.product)) return { kind: 'mismatch' }
  const { transactionId: orderId, items } = result.product
  const bought = items.map(({ storeProductId: id }) => ({ orderId, storeProductId: id }))
  const fetched = await fetchOrders(client, order, bought, order.readsRefunds ? (order.charges ?? []) : [])
  if (fetched.kind !== 'ok') return fetched
  const paid = fetched.orders.get(orderId) ?? null
  const units = items.some(({ quantity, refundableQuantity: left }) => left !== null && left < quantity)
  // Without its notification, the order states when units were refunded.
  const partlyRefundedAt = order.times?.partlyRefundedAt ?? (units ? lastPartAt(paid) : null)
  const look = productLook(project, { ...order, partlyRefundedAt }, result.product, paid)
  return { kind: 'found', look: { ...look, refunds: refundsOf(fetched.orders, () => [], units) } }
}

function productLook(
  { catalog }: Catalogue,
  order: Pick<LookOrder, 'purchaseToken' | 'now'> & { partlyRefundedAt: number | null },
  bought: AndroidProduct,
  paid: PaidOrder | null,
): AndroidLook {
  const { purchaseToken, now, partlyRefundedAt } = order
  const fetchedAt = now()
  const { environment, transactionId, purchasedAt, items } = bought
  const context = { fetchedAt, partlyRefundedAt, order: paid }
  const toLine = (item: ProductItem): AndroidLine => ({
    ...{ lineKey: item.storeProductId, storeProductId: item.storeProductId, replacedProductId: null },
    product: findStoreProduct(catalog, item.storeProductId, 'ANDROID_STORE'),
    observe: (known) => reportProduct(bought, item, { ...context, known }),
  })
  return {
    ...{
      purchaseToken,
      family: 'ONE_TIME',
      environment,
      fetchedAt,
      startedAt: purchasedAt,
      replaced: null,
      refunds: [],
    },
    lines: items.map(toLine),
    originalTransactionId: transactionId,
    account: bought.account.obfuscatedAccountId,
    // A consumed purchase needs no acknowledgement.
    isAcknowledged: bought.isAcknowledged || items.every(({ isConsumed }) => isConsumed),
  }
}

const unreadable = (field: string): LookResult => ({ kind: 'unreadable', field })

/** The type of a product that no catalogue has. A one-time product counts as NON_CONSUMABLE. */
export const likelyTypeOf = ({ family }: AndroidLook): ProductType =>
  family === 'SUBSCRIPTION' ? 'SUBSCRIPTION' : 'NON_CONSUMABLE'

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

/** The error for a failed call to the store: 503 when it may work later, 502 when the operator must repair it. */
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
