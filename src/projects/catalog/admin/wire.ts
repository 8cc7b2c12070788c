import { type Static, Type } from '@sinclair/typebox'
import { invalid } from '../../../base/errors'
import { Int64, SumOfInt64 } from '../../../base/http/int64-schema'
import { orNull, REVISED } from '../../../base/http/object-answer'
import { parseDigits, readInt64 } from '../../../base/lib/int64'
import { MAX_PRICE_MICROS } from '../rules'
import type { CurrencyGrant } from '../snapshot'

const strict = { additionalProperties: false } as const

const Name = Type.String({ minLength: 1, maxLength: 255 })
const Identifier = Type.String({ minLength: 1, maxLength: 64, description: 'Letters, digits, $, _, . and -' })
const Metadata = Type.Record(Type.String({ maxLength: 255 }), Type.Unknown(), {
  description: 'Your own JSON, at most 16,384 characters',
})
const StoreId = orNull(Type.String({ minLength: 1, maxLength: 255 }))
const Price = Type.Object(
  {
    amountMicros: Type.Integer({ minimum: 1, maximum: MAX_PRICE_MICROS, description: '12.99 is 12990000' }),
    currency: Type.String({ minLength: 3, maxLength: 3, description: 'ISO 4217' }),
  },
  {
    ...strict,
    title: 'ProductPrice',
    description: 'What the built-in test store charges; real stores have prices of their own',
  },
)
const ObjectId = Type.String({ minLength: 1, maxLength: 64 })

export const ProductTypes = Type.Union([
  Type.Literal('SUBSCRIPTION'),
  Type.Literal('CONSUMABLE'),
  Type.Literal('NON_CONSUMABLE'),
])

export const Store = Type.Union([Type.Literal('ios'), Type.Literal('android'), Type.Literal('payment')])

const accessMembers = {
  identifier: Identifier,
  displayName: Name,
  description: Type.Optional(orNull(Type.String({ maxLength: 1000 }))),
  metadata: Type.Optional(Metadata),
}
export const AccessBody = Type.Object(accessMembers, { ...strict, title: 'AccessRequest' })
export const AccessPatch = Type.Partial(Type.Object(accessMembers), { ...strict, title: 'AccessUpdate' })

export const AccessSchema = Type.Object(
  {
    id: Type.String(),
    identifier: Type.String(),
    displayName: Type.String(),
    description: orNull(Type.String()),
    metadata: Metadata,
    productCount: Type.Integer({ description: 'Products that give it' }),
    ...REVISED,
  },
  { ...strict, title: 'Access' },
)

const productMembers = {
  identifier: Identifier,
  type: ProductTypes,
  displayName: Name,
  storeIds: Type.Optional(
    Type.Partial(Type.Object({ ios: StoreId, android: StoreId, payment: StoreId }), {
      ...strict,
      title: 'StoreIdsRequest',
      description: 'Each belongs to one product; an Android id to one for each base plan',
    }),
  ),
  androidBasePlanId: Type.Optional(StoreId),
  androidOfferId: Type.Optional(StoreId),
  period: Type.Optional(orNull(Type.String({ maxLength: 32, description: 'ISO 8601, for example P1M' }))),
  price: Type.Optional(orNull(Price)),
  accessIds: Type.Optional(Type.Array(ObjectId, { maxItems: 200 })),
  isActive: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(Metadata),
}
export const ProductBody = Type.Object(productMembers, { ...strict, title: 'ProductRequest' })
export const ProductPatch = Type.Partial(Type.Object(productMembers), { ...strict, title: 'ProductChange' })

const GrantOn = Type.Union([Type.Literal('PURCHASE'), Type.Literal('RENEWAL'), Type.Literal('BOTH')])

const GrantSchema = Type.Object(
  { currencyId: Type.String(), amount: Int64(), grantOn: GrantOn },
  { ...strict, title: 'CurrencyGrant' },
)

export const ProductSchema = Type.Object(
  {
    id: Type.String(),
    identifier: Type.String(),
    type: ProductTypes,
    displayName: Type.String(),
    storeIds: Type.Object(
      { ios: orNull(Type.String()), android: orNull(Type.String()), payment: orNull(Type.String()) },
      { ...strict, title: 'StoreIds' },
    ),
    androidBasePlanId: orNull(Type.String()),
    androidOfferId: orNull(Type.String()),
    period: orNull(Type.String()),
    price: orNull(Price),
    accessIds: Type.Array(Type.String()),
    isActive: Type.Boolean(),
    metadata: Metadata,
    grants: Type.Array(GrantSchema, { description: 'Virtual currency that a purchase grants' }),
    ...REVISED,
  },
  { ...strict, title: 'Product' },
)

export const GrantsBody = Type.Object(
  {
    grants: Type.Array(
      Type.Object(
        {
          currencyId: ObjectId,
          amount: Type.Integer({
            minimum: 1,
            format: 'int64',
            description: 'At most 2^63−1; it is read from its digits',
          }),
          grantOn: GrantOn,
        },
        { ...strict, title: 'CurrencyGrantRequest' },
      ),
      { maxItems: 1000, description: 'At most 20' },
    ),
  },
  { ...strict, title: 'CurrencyGrantsRequest' },
)

export const GrantsSchema = Type.Object({ grants: Type.Array(GrantSchema) }, strict)

const utf8 = new TextDecoder()

/** The grants with their exact amounts: these are read from the bytes of the body, because parsing has rounded them. */
export function readGrants(
  { grants }: Static<typeof GrantsBody>,
  bytes: Uint8Array,
): Omit<CurrencyGrant, 'productId'>[] {
  const exact = parseDigits(utf8.decode(bytes)) as { grants: { amount: { rawJSON: string } }[] } // It has passed the schema.
  return grants.map(({ currencyId, grantOn }, index) => {
    const amount = readInt64(exact.grants[index]?.amount.rawJSON ?? '')
    if (amount === null) throw invalid(`body/grants/${index}/amount: Expected an integer from 1 to 2^63−1`)
    return { currencyId, amount, grantOn }
  })
}

export const ImportBody = Type.Object(
  {
    store: Store,
    storeIds: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { minItems: 1, maxItems: 200 }),
  },
  { ...strict, title: 'ProductImportRequest' },
)

const waitingPurchases = Type.Integer({
  description: 'Purchases that were recorded before a product had their store id, and get it in the background now',
})

export const SavedProductSchema = Type.Composite([ProductSchema, Type.Object({ waitingPurchases })], {
  ...strict,
  title: 'SavedProduct',
})

export const ImportSchema = Type.Object(
  {
    created: Type.Array(ProductSchema),
    skipped: Type.Array(
      Type.Object(
        {
          storeId: Type.String(),
          reason: Type.Union([Type.Literal('EXISTS'), Type.Literal('NOT_FOUND'), Type.Literal('NO_PERIOD')], {
            description:
              'A product has it already, the store does not list it, or the store does not tell its period: then make the product by hand, with a period',
          }),
        },
        strict,
      ),
    ),
    waitingPurchases,
  },
  { ...strict, title: 'ProductImport' },
)

const order = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })

const offeringMembers = {
  identifier: Identifier,
  isDefault: Type.Optional(Type.Boolean({ description: 'true moves the mark from the present default' })),
  packages: Type.Optional(
    Type.Array(
      Type.Object(
        {
          identifier: Identifier,
          productId: ObjectId,
          order: Type.Optional(order),
          isPromoted: Type.Optional(Type.Boolean()),
          metadata: Type.Optional(Metadata),
        },
        { ...strict, title: 'PackageRequest' },
      ),
      { maxItems: 1000, description: 'At most 50. Without order: the position in the list' },
    ),
  ),
  metadata: Type.Optional(Metadata),
}
export const OfferingBody = Type.Object(offeringMembers, { ...strict, title: 'OfferingRequest' })
export const OfferingPatch = Type.Partial(Type.Object(offeringMembers), { ...strict, title: 'OfferingChange' })

export const OfferingAdminSchema = Type.Object(
  {
    id: Type.String(),
    identifier: Type.String(),
    isDefault: Type.Boolean(),
    packages: Type.Array(
      Type.Object(
        {
          identifier: Type.String(),
          productId: Type.String(),
          order: Type.Integer(),
          isPromoted: Type.Boolean(),
          metadata: Metadata,
        },
        { ...strict, title: 'OfferingPackage' },
      ),
    ),
    metadata: Metadata,
    ...REVISED,
  },
  { ...strict, title: 'CatalogOffering' },
)

const Clawback = Type.Union([Type.Literal('none'), Type.Literal('available'), Type.Literal('full')])

const currencyMembers = {
  code: Identifier,
  name: Name,
  clawback: Type.Optional(orNull(Clawback)),
}
export const CurrencyBody = Type.Object(currencyMembers, { ...strict, title: 'VirtualCurrencyRequest' })
export const CurrencyPatch = Type.Partial(Type.Object(currencyMembers), { ...strict, title: 'VirtualCurrencyChange' })

export const CurrencySchema = Type.Object(
  {
    id: Type.String(),
    code: Type.String(),
    name: Type.String(),
    clawback: orNull(Clawback),
    archivedAt: orNull(Type.String()),
    holders: Type.Integer({ description: 'Subscribers with a balance above 0' }),
    total: SumOfInt64('Sum of all balances'),
    ...REVISED,
  },
  { ...strict, title: 'VirtualCurrency' },
)
