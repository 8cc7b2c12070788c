import { Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { orNull } from '../../base/http/object-answer'
import { toIso } from '../../base/lib/time'
import { oneOf } from '../../core/schema/object'
import type { WaitingProduct } from './list'
import type { WaitingPurchase } from './purchases'

const strict = { additionalProperties: false } as const
const TextOrNull = orNull(Type.String())
const time = Type.String({ format: 'date-time' })
const productType = oneOf(['SUBSCRIPTION', 'CONSUMABLE', 'NON_CONSUMABLE'] as const)
const store = oneOf(['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const)

const Product = Type.Object(
  {
    identifier: Type.String(),
    type: productType,
    displayName: Type.String(),
    period: orNull(Type.String({ description: 'ISO 8601' })),
    storeIds: Type.Object({ ios: TextOrNull, android: TextOrNull, payment: TextOrNull }, strict),
    androidBasePlanId: TextOrNull,
    access: Type.Array(Type.String({ description: 'Identifier' })),
    rows: Type.Integer({ minimum: 1, description: 'Purchases, or rows of the file, that name it' }),
  },
  { ...strict, title: 'PlannedProduct' },
)

const Skipped = Type.Object(
  {
    store: oneOf(['IOS_STORE', 'ANDROID_STORE', 'PAYMENT', 'MANUAL'] as const),
    identifier: Type.String(),
    reason: oneOf(['EXISTS', 'NOT_NAMEABLE', 'PRICE_NOT_FOUND', 'NO_PERIOD'] as const),
  },
  { ...strict, title: 'SkippedProduct' },
)

/** The members of an answer that creates products, or lists the ones that it would create. */
export const plannedMembers = {
  isDryRun: Type.Boolean({ description: 'Whether nothing was created' }),
  access: Type.Array(
    Type.Object({ identifier: Type.String(), displayName: Type.String() }, { ...strict, title: 'PlannedAccess' }),
    { description: 'Accesses that the products give and the project does not have' },
  ),
  products: Type.Array(Product),
  skipped: Type.Array(Skipped, {
    description:
      'EXISTS: the catalogue has it by now. NOT_NAMEABLE: its name can be no identifier. PRICE_NOT_FOUND: the payment provider has no such price. NO_PERIOD: the period of a subscription of the App Store is not known, so make the product by hand',
  }),
  waitingPurchases: Type.Integer({
    description: 'Purchases that were recorded without these products, and get them in the background; 0 at a dry run',
  }),
  catalog: orNull(Type.String({ description: 'The same as a project file (YAML), which svc apply takes' })),
}

export const MissingProductsSchema = Type.Object(plannedMembers, { ...strict, title: 'MissingProducts' })

export const dryRun = Type.Optional(
  Type.Boolean({ description: 'Returns what would be created, and creates nothing. Default: false' }),
)

const storeProductId = Type.String({ minLength: 1, maxLength: 512, description: 'Its id at the store' })

export const OrderBody = Type.Object(
  {
    dryRun,
    products: Type.Optional(
      Type.Array(Type.Object({ store, storeProductId }, { ...strict, title: 'StoreProductName' }), {
        minItems: 1,
        maxItems: 200,
        description: 'Default: all that purchases of people wait for, at most 1,000',
      }),
    ),
    accessIds: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 100,
        description: 'What each of the products gives. Default: nothing',
      }),
    ),
  },
  { ...strict, title: 'MissingProductsOrder' },
)

export const ListQuery = Type.Object(listQuery, strict)
export const RowsQuery = Type.Object({ ...listQuery, store, storeProductId }, strict)

export const WaitingProductSchema = Type.Object(
  {
    store,
    storeProductId: Type.String({ description: 'With the base plan for Google Play: pro:monthly' }),
    state: oneOf(['MISSING', 'LINKING', 'OUTSIDE'] as const, {
      description:
        'MISSING: the catalogue has no product with this id. LINKING: it has one now, and the purchases get it in the background. OUTSIDE: only sales outside the catalogue, which the project ignores, have it',
    }),
    type: productType,
    period: orNull(Type.String({ description: 'ISO 8601, as the newest purchases tell it; null when they do not' })),
    purchases: Type.Integer({ description: 'Purchases of people' }),
    people: Type.Integer(),
    sales: Type.Integer({ description: 'Unlisted sales: nobody of the project made them' }),
    usdMicros: Type.Integer({
      description: 'What was charged less what was given back, in production, of the amounts known in dollars',
    }),
    unconverted: Type.Integer({ description: 'Transactions in production whose amount is not known in dollars' }),
    firstSeenAt: Type.String({ format: 'date-time', description: 'Date of the first purchase' }),
    lastSeenAt: Type.String({ format: 'date-time', description: 'Date of the last purchase, or of its last charge' }),
  },
  { ...strict, title: 'WaitingProduct' },
)

export const toWaitingProduct = ({ firstAt, lastAt, ...one }: WaitingProduct) => ({
  ...one,
  firstSeenAt: toIso(firstAt),
  lastSeenAt: toIso(lastAt),
})

export const WaitingPurchaseSchema = Type.Object(
  {
    id: Type.String({ description: 'pur_ id; of an unlisted sale the id that its purchase gets' }),
    subscriberId: Type.Union([Type.String(), Type.Null()], { description: 'Null for an unlisted sale' }),
    appUserId: TextOrNull,
    environment: oneOf(['PRODUCTION', 'SANDBOX'] as const),
    status: Type.String(),
    type: productType,
    productId: Type.Union([Type.String(), Type.Null()], {
      description: 'The product that the purchase has now; only earlier charges of it wait then',
    }),
    purchaseDate: time,
    recordedAt: time,
  },
  { ...strict, title: 'WaitingPurchase' },
)

export const toWaitingPurchase = ({ purchaseDate, recordedAt, ...one }: WaitingPurchase) => ({
  ...one,
  purchaseDate: toIso(purchaseDate),
  recordedAt: toIso(recordedAt),
})
