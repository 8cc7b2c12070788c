import { Type } from '@sinclair/typebox'
import { orNull } from '../../../base/http/object-answer'
import { oneOf } from '../../../base/http/one-of'

const strict = { additionalProperties: false } as const
const TextOrNull = orNull(Type.String())

export const ProductsBody = Type.Object(
  {
    dryRun: Type.Optional(
      Type.Boolean({ description: 'Returns what would be created, and creates nothing. Default: false' }),
    ),
  },
  { ...strict, title: 'ImportProductsOrder' },
)

const Product = Type.Object(
  {
    identifier: Type.String(),
    type: oneOf(['SUBSCRIPTION', 'CONSUMABLE', 'NON_CONSUMABLE'] as const),
    displayName: Type.String(),
    period: orNull(Type.String({ description: 'ISO 8601' })),
    storeIds: Type.Object({ ios: TextOrNull, android: TextOrNull, payment: TextOrNull }, strict),
    androidBasePlanId: TextOrNull,
    access: Type.Array(Type.String({ description: 'Identifier' })),
    rows: Type.Integer({ minimum: 1, description: 'Rows of the file that name it' }),
  },
  { ...strict, title: 'ImportNewProduct' },
)

const Skipped = Type.Object(
  {
    store: oneOf(['IOS_STORE', 'ANDROID_STORE', 'PAYMENT', 'MANUAL'] as const),
    identifier: Type.String(),
    reason: oneOf(['EXISTS', 'NOT_NAMEABLE', 'PRICE_NOT_FOUND', 'NO_PERIOD'] as const),
  },
  { ...strict, title: 'ImportSkippedProduct' },
)

export const ImportProductsSchema = Type.Object(
  {
    isDryRun: Type.Boolean({ description: 'Whether nothing was created' }),
    access: Type.Array(
      Type.Object({ identifier: Type.String(), displayName: Type.String() }, { ...strict, title: 'ImportNewAccess' }),
      { description: 'Accesses that the products give by the file and the project does not have' },
    ),
    products: Type.Array(Product),
    skipped: Type.Array(Skipped, {
      description:
        'EXISTS: the catalogue has it by now. NOT_NAMEABLE: its name can be no identifier. PRICE_NOT_FOUND: the payment provider has no such price. NO_PERIOD: the file does not tell the period of a subscription of the App Store, so make the product by hand',
    }),
    catalog: orNull(Type.String({ description: 'The same as a project file (YAML), which svc apply takes' })),
  },
  { ...strict, title: 'ImportProducts' },
)
