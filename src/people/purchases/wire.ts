import { Type } from '@sinclair/typebox'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import { splitAndroidId } from '../../stores/android/purchase-id'
import type { Store } from '../../stores/observation'
import type { ShownTransactionColumn } from './columns'
import type { PurchaseState } from './model'
import type { PurchaseRow, TransactionRow } from './queries'
import { effectiveEnd } from './status'
import { findStoreProduct } from './store-product'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const textOrNull = Type.Union([Type.String(), Type.Null()])

export const MoneySchema = Type.Object({ amountMicros: Type.Integer(), currency: Type.String() }, strict)

/** The schema of `toPurchaseView`. */
export const PurchaseViewSchema = Type.Object(
  {
    id: Type.String(),
    subscriberId: Type.String(),
    store: Type.String(),
    environment: Type.String(),
    productId: textOrNull,
    productIdentifier: Type.String(),
    storeProductId: Type.String(),
    chainKey: Type.String(),
    lineKey: Type.String(),
    originalTransactionId: Type.String(),
    storeTransactionId: Type.String(),
    status: Type.String(),
    isTrial: Type.Boolean(),
    isIntroOffer: Type.Boolean(),
    offerId: textOrNull,
    ownershipType: Type.String(),
    quantity: Type.Integer(),
    purchaseDate: time,
    originalPurchaseDate: time,
    expiresAt: timeOrNull,
    gracePeriodExpiresAt: timeOrNull,
    effectiveEnd: timeOrNull,
    autoRenews: Type.Boolean(),
    pendingProductId: textOrNull,
    autoResumeAt: timeOrNull,
    cancelledAt: timeOrNull,
    refundedAt: timeOrNull,
    price: Type.Union([MoneySchema, Type.Null()], {
      description: 'The price of one period, or of the whole purchase when it has no periods',
    }),
    priceAfter: Type.Union([Type.Object({ price: MoneySchema, from: time }, strict), Type.Null()]),
    storeEventAt: time,
  },
  { ...strict, title: 'PurchaseView' },
)

type Identity = Pick<
  PurchaseRow,
  'id' | 'subscriberId' | 'store' | 'environment' | 'productId' | 'chainKey' | 'lineKey' | 'originalTransactionId'
>

/** `PurchaseView` of wire 2.2, in events, in explain and in the dashboard. */
export function toPurchaseView({ catalog }: ProjectState, row: Identity, state: PurchaseState) {
  const product = row.productId === null ? undefined : catalog.products.get(row.productId)
  return {
    id: row.id,
    subscriberId: row.subscriberId,
    store: row.store,
    environment: row.environment,
    productId: row.productId,
    productIdentifier: product?.identifier ?? 'unknown',
    storeProductId:
      row.store === 'ANDROID_STORE' ? splitAndroidId(state.storeProductId).productId : state.storeProductId,
    chainKey: row.chainKey,
    lineKey: row.lineKey,
    originalTransactionId: row.originalTransactionId,
    storeTransactionId: state.storeTransactionId,
    status: state.status,
    isTrial: state.isTrial,
    isIntroOffer: state.isIntroOffer,
    offerId: state.offerId,
    ownershipType: state.ownershipType,
    quantity: state.quantity,
    purchaseDate: toIso(state.purchaseDate),
    originalPurchaseDate: toIso(state.originalPurchaseDate),
    expiresAt: toIsoOrNull(state.expiresAt),
    gracePeriodExpiresAt: toIsoOrNull(state.gracePeriodExpiresAt),
    effectiveEnd: toIsoOrNull(effectiveEnd(state)),
    autoRenews: state.autoRenews,
    pendingProductId: pendingProductId(state.pendingStoreProductId, catalog, row.store),
    autoResumeAt: toIsoOrNull(state.autoResumeAt),
    cancelledAt: toIsoOrNull(state.cancelledAt),
    refundedAt: toIsoOrNull(state.refundedAt),
    price: state.recurring?.price ?? state.price,
    priceAfter: state.priceAfter ? { price: state.priceAfter.price, from: toIso(state.priceAfter.from) } : null,
    storeEventAt: toIso(state.storeEventAt),
  }
}

const pendingProductId = (
  storeProductId: string | null,
  catalog: ProjectState['catalog'],
  store: Store,
): string | null => (storeProductId === null ? null : (findStoreProduct(catalog, storeProductId, store)?.id ?? null))

/** The schema of `toTransactionView`. */
export const TransactionView = Type.Object(
  {
    id: Type.String(),
    kind: Type.String(),
    price: Type.Union([MoneySchema, Type.Null()]),
    usdMicros: Type.Union([Type.Integer(), Type.Null()]),
    storeTransactionId: Type.String(),
    renewalNumber: Type.Integer(),
  },
  { ...strict, title: 'Transaction' },
)

/** A money line as part of an event. */
export const toTransactionView = (row: Pick<TransactionRow, ShownTransactionColumn>) => ({
  id: row.id,
  kind: row.kind,
  price:
    row.amountMicros === null || row.currency === null
      ? null
      : { amountMicros: row.amountMicros, currency: row.currency },
  usdMicros: row.usdMicros,
  storeTransactionId: row.storeTransactionId,
  renewalNumber: row.renewalNumber,
})
