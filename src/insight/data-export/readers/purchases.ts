import { inArray, max } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import { toDecimalOrNull } from '../../../core/money/money'
import type { PurchaseFold } from '../../../people/purchases/model'
import type { ProjectState } from '../../../projects/project/state'
import type { Column } from '../model'
import { attributeValues, externalIdOf } from './owners'
import { entitlementsOf, type FoundPurchase, nextPurchases } from './purchase-rows'
import { rowWriter, type TableReader } from './reader'
import { countPurchases } from './transactions'

/** The canonical columns of an import, under their canonical names, so that `svc import` reads this file as it is. */
const CANONICAL = [
  { name: 'subscriberExternalId', type: 'text' },
  { name: 'store', type: 'text' },
  { name: 'productIdentifier', type: 'text' },
  { name: 'purchaseDate', type: 'time' },
  { name: 'deviceKey', type: 'text' },
  { name: 'originalTransactionId', type: 'text' },
  { name: 'storeTransactionId', type: 'text' },
  { name: 'purchaseToken', type: 'text' },
  { name: 'providerId', type: 'text' },
  { name: 'isSubscription', type: 'boolean' },
  { name: 'expiresDate', type: 'time' },
  { name: 'originalPurchaseDate', type: 'time' },
  { name: 'gracePeriodExpiresDate', type: 'time' },
  { name: 'refundedAt', type: 'time' },
  { name: 'cancelledAt', type: 'time' },
  { name: 'billingIssueAt', type: 'time' },
  { name: 'autoRenews', type: 'boolean' },
  { name: 'autoResumeAt', type: 'time' },
  { name: 'isTrial', type: 'boolean' },
  { name: 'isIntroOffer', type: 'boolean' },
  { name: 'isSandbox', type: 'boolean' },
  { name: 'price', type: 'text' },
  { name: 'currency', type: 'text' },
  { name: 'ownershipType', type: 'text' },
  { name: 'quantity', type: 'integer' },
  { name: 'renewalNumber', type: 'integer' },
  { name: 'email', type: 'text' },
  { name: 'displayName', type: 'text' },
  { name: 'attributes', type: 'json' },
  { name: 'firstSeenAt', type: 'time' },
  { name: 'lastSeenAt', type: 'time' },
  { name: 'updatedAt', type: 'time' },
  { name: 'offerId', type: 'text' },
  { name: 'entitlements', type: 'json' },
] as const satisfies readonly Column[]

const OURS = [
  { name: 'id', type: 'text' },
  { name: 'subscriber_id', type: 'text' },
  { name: 'product_id', type: 'text' },
  { name: 'store_product_id', type: 'text' },
  { name: 'status', type: 'text' },
  { name: 'effective_end', type: 'time' },
  { name: 'revoked_at', type: 'time' },
  { name: 'price_micros', type: 'int64' },
  { name: 'store_event_at', type: 'time' },
  { name: 'created_at', type: 'time' },
  { name: 'updated_at', type: 'time' },
] as const satisfies readonly Column[]

const COLUMNS = [...CANONICAL, ...OURS] as const
const toRow = rowWriter(COLUMNS)
const PAGE = 500

/** Each purchase as its current transaction, with the status of its latest event. In the order of ids. */
export const purchaseReader: TableReader = {
  columns: COLUMNS,

  async page(handle, scope, after) {
    const { purchases, next, seen } = await nextPurchases(handle, scope, after, PAGE)
    const numbers = await renewalNumbers(
      handle,
      purchases.map(({ id }) => id),
    )
    const rows = purchases.map((purchase) => toPurchaseRow(scope.project, purchase, numbers.get(purchase.id) ?? null))
    return { rows, next, seen }
  },

  count: countPurchases,
}

/** The number of the latest paid period of each purchase. */
async function renewalNumbers(
  { db, tables: { transactions: t } }: Handle,
  purchaseIds: readonly string[],
): Promise<Map<string, number | null>> {
  if (purchaseIds.length === 0) return new Map()
  const found = db.select({ id: t.purchaseId, number: max(t.renewalNumber) }).from(t)
  const rows = await found.where(inArray(t.purchaseId, [...purchaseIds])).groupBy(t.purchaseId)
  return new Map(rows.map(({ id, number }) => [id, number === null ? null : Number(number)]))
}

/** A grant of the seller is `PROMOTIONAL` in imports. */
const STORES = { IOS_STORE: 'IOS_STORE', ANDROID_STORE: 'ANDROID_STORE', PAYMENT: 'PAYMENT', MANUAL: 'PROMOTIONAL' }

function toPurchaseRow(project: ProjectState, purchase: FoundPurchase, renewalNumber: number | null) {
  const { owner, store, fold, chainKey } = purchase
  const product = purchase.productId === null ? undefined : project.catalog.products.get(purchase.productId)
  return toRow({
    subscriberExternalId: externalIdOf(owner),
    store: STORES[store],
    productIdentifier: product?.identifier ?? fold?.storeProductId ?? null,
    deviceKey: owner.deviceKey,
    originalTransactionId: purchase.originalTransactionId,
    purchaseToken: store === 'ANDROID_STORE' ? chainKey : null,
    providerId: store === 'PAYMENT' ? chainKey : null,
    isSandbox: purchase.environment === 'SANDBOX',
    renewalNumber,
    email: owner.attributes.$email?.value ?? null,
    displayName: owner.attributes.$displayName?.value ?? null,
    attributes: attributeValues(owner, ['$email', '$displayName']),
    firstSeenAt: owner.isErased ? null : owner.firstSeenAt,
    lastSeenAt: owner.isErased ? null : owner.lastSeenAt,
    updatedAt: purchase.updatedAt,
    entitlements: entitlementsOf(project, purchase),
    id: purchase.id,
    subscriber_id: purchase.subscriberId,
    product_id: purchase.productId,
    status: purchase.status,
    effective_end: purchase.effectiveEnd,
    created_at: purchase.createdAt,
    updated_at: purchase.updatedAt,
    ...(fold ? foldCells(fold) : NO_FOLD),
  })
}

const foldCells = (fold: PurchaseFold) => ({
  purchaseDate: fold.purchaseDate,
  storeTransactionId: fold.storeTransactionId,
  isSubscription: fold.productType === 'SUBSCRIPTION',
  expiresDate: fold.expiresAt,
  originalPurchaseDate: fold.originalPurchaseDate,
  gracePeriodExpiresDate: fold.gracePeriodExpiresAt,
  refundedAt: fold.refundedAt,
  cancelledAt: fold.cancelledAt,
  billingIssueAt: fold.billingTrouble === 'NONE' ? null : fold.storeEventAt,
  autoRenews: fold.autoRenews,
  autoResumeAt: fold.autoResumeAt,
  isTrial: fold.isTrial,
  isIntroOffer: fold.isIntroOffer,
  price: toDecimalOrNull(fold.price?.amountMicros),
  currency: fold.price?.currency ?? null,
  ownershipType: fold.ownershipType,
  quantity: fold.quantity,
  offerId: fold.offerId,
  store_product_id: fold.storeProductId,
  revoked_at: fold.revokedAt,
  price_micros: fold.price?.amountMicros ?? null,
  store_event_at: fold.storeEventAt,
})

type FoldCells = ReturnType<typeof foldCells>

const NO_FOLD: { [Name in keyof FoldCells]: null } = {
  ...{ purchaseDate: null, storeTransactionId: null, isSubscription: null, expiresDate: null },
  ...{ originalPurchaseDate: null, gracePeriodExpiresDate: null, refundedAt: null, cancelledAt: null },
  ...{ billingIssueAt: null, autoRenews: null, autoResumeAt: null, isTrial: null, isIntroOffer: null },
  ...{ price: null, currency: null, ownershipType: null, quantity: null, offerId: null, store_product_id: null },
  ...{ revoked_at: null, price_micros: null, store_event_at: null },
}
