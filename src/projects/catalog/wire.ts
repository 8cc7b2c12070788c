import { Type } from '@sinclair/typebox'
import type { ProductType } from '../../stores/observation'
import type { CatalogSnapshot, Offering, Product } from './snapshot'
import type { OfferingPackage } from './tables'

/** One package of an offering, as clients receive it (wire 2.11). Apps read the prices from the stores. */
export interface PackageView {
  packageIdentifier: string
  /** Our identifier of the product. */
  identifier: string
  type: ProductType
  displayName: string
  order: number
  isPromoted: boolean
  accessIds: string[]
  storeIds: { ios: string | null; android: string | null; payment: string | null }
  androidBasePlanId: string | null
  androidOfferId: string | null
  metadata: Record<string, unknown>
}

export interface OfferingView {
  identifier: string
  isDefault: boolean
  metadata: Record<string, unknown>
  packages: PackageView[]
}

/** The offering with the packages that can be sold: packages whose product is missing or inactive are left out. */
export const toOfferingView = (catalog: CatalogSnapshot, offering: Offering): OfferingView => ({
  identifier: offering.identifier,
  isDefault: offering.isDefault,
  metadata: offering.metadata,
  packages: offering.packages.flatMap((slot) => {
    const product = catalog.products.get(slot.productId)
    return product?.isActive ? [toPackageView(slot, product)] : []
  }),
})

const toPackageView = (slot: OfferingPackage, product: Product): PackageView => ({
  packageIdentifier: slot.identifier,
  identifier: product.identifier,
  type: product.type,
  displayName: product.displayName,
  order: slot.order,
  isPromoted: slot.isPromoted,
  accessIds: [...product.accessIds],
  storeIds: { ios: product.iosId, android: product.androidId, payment: product.paymentId },
  androidBasePlanId: product.androidBasePlanId,
  androidOfferId: product.androidOfferId,
  metadata: slot.metadata,
})

const closed = { additionalProperties: false }
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const Metadata = Type.Record(Type.String(), Type.Unknown())

const PackageSchema = Type.Object(
  {
    packageIdentifier: Type.String(),
    identifier: Type.String({ description: 'Identifier of the product' }),
    type: Type.Union([Type.Literal('SUBSCRIPTION'), Type.Literal('CONSUMABLE'), Type.Literal('NON_CONSUMABLE')]),
    displayName: Type.String(),
    order: Type.Integer(),
    isPromoted: Type.Boolean(),
    accessIds: Type.Array(Type.String()),
    storeIds: Type.Object(
      { ios: TextOrNull, android: TextOrNull, payment: TextOrNull },
      { ...closed, title: 'StoreIds' },
    ),
    androidBasePlanId: TextOrNull,
    androidOfferId: TextOrNull,
    metadata: Metadata,
  },
  { ...closed, title: 'Package' },
)

export const OfferingSchema = Type.Object(
  {
    identifier: Type.String(),
    isDefault: Type.Boolean(),
    metadata: Metadata,
    packages: Type.Array(PackageSchema, { description: 'Ascending by order' }),
  },
  { ...closed, title: 'Offering' },
)
