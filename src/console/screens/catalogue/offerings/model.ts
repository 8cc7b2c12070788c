import type { Schemas } from '../../../api/schemas'
import type { ProductView } from '../products/model'

export type OfferingView = Schemas['CatalogOffering']

/** A package of a draft. The uid keeps it the same one while it is moved and changed. */
export interface Package {
  uid: string
  identifier: string
  productId: string
  isPromoted: boolean
  metadata: Record<string, unknown>
}

export interface OfferingState {
  identifier: string
  isDefault: boolean
  packages: Package[]
  metadata: Record<string, unknown>
}

export const BLANK: OfferingState = { identifier: '', isDefault: false, packages: [], metadata: {} }

export const toState = ({ identifier, isDefault, packages, metadata }: OfferingView): OfferingState => ({
  identifier,
  isDefault,
  metadata,
  packages: packages
    .toSorted((a, b) => a.order - b.order)
    .map(({ order: _order, ...one }, index) => ({ ...one, uid: `s${index}` })),
})

/** The order is the position in the list. */
export const toBody = ({ identifier, isDefault, packages, metadata }: OfferingState): Schemas['OfferingRequest'] => ({
  identifier,
  ...(isDefault && { isDefault }),
  packages: packages.map(({ uid: _uid, ...one }, order) => ({ ...one, order })),
  metadata,
})

export function freshUid(packages: readonly Package[]): string {
  return `n${Math.max(-1, ...packages.map(({ uid }) => Number(uid.slice(1)))) + 1}`
}

/** The usual names of packages, by the period of their product. */
const USUAL: Record<string, string> = {
  P1W: '$svc_weekly',
  P1M: '$svc_monthly',
  P3M: '$svc_quarterly',
  P1Y: '$svc_annual',
}

export const usualName = ({ identifier, period }: ProductView): string => USUAL[period ?? ''] ?? identifier

/** The offering as a device gets it: inactive and missing products are left out. */
export function presented(state: OfferingState, products: readonly ProductView[]): Schemas['Offering'] {
  const known = new Map(products.map((product) => [product.id, product]))
  return {
    identifier: state.identifier,
    isDefault: state.isDefault,
    metadata: state.metadata,
    packages: state.packages.flatMap((one, order) => {
      const product = known.get(one.productId)
      return product?.isActive ? [packageOf(one, order, product)] : []
    }),
  }
}

const packageOf = (one: Package, order: number, product: ProductView): Schemas['Package'] => ({
  packageIdentifier: one.identifier,
  identifier: product.identifier,
  type: product.type,
  displayName: product.displayName,
  order,
  isPromoted: one.isPromoted,
  accessIds: product.accessIds,
  storeIds: product.storeIds,
  androidBasePlanId: product.androidBasePlanId,
  androidOfferId: product.androidOfferId,
  metadata: one.metadata,
})
