import type { Money } from '../../base/lib/money'
import type { Clawback } from '../../core/project/settings'
import type { ProductType } from '../../stores/observation'
import type { GrantOn, OfferingPackage } from './tables'

export interface Product {
  id: string
  identifier: string
  type: ProductType
  displayName: string
  iosId: string | null
  androidId: string | null
  paymentId: string | null
  androidBasePlanId: string | null
  androidOfferId: string | null
  period: string | null
  /** What the built-in test store charges for it; null = its usual price. */
  price: Money | null
  accessIds: readonly string[]
  isActive: boolean
  metadata: Record<string, unknown>
}

export interface Access {
  id: string
  identifier: string
  displayName: string
  description: string | null
  metadata: Record<string, unknown>
}

export interface Offering {
  id: string
  identifier: string
  isDefault: boolean
  /** Ascending by `order`. */
  packages: readonly OfferingPackage[]
  metadata: Record<string, unknown>
}

export interface Currency {
  id: string
  code: string
  name: string
  clawback: Clawback | null
  archivedAt: number | null
}

export interface CurrencyGrant {
  productId: string
  currencyId: string
  amount: bigint
  grantOn: GrantOn
}

/** The rows of a project's catalogue. */
export interface CatalogRows {
  products: readonly Product[]
  access: readonly Access[]
  offerings: readonly Offering[]
  currencies: readonly Currency[]
  grants: readonly CurrencyGrant[]
}

/** The catalogue as maps, so that a frequent request finds an object with one look-up. */
export interface CatalogSnapshot {
  products: ReadonlyMap<string, Product>
  productByIdentifier: ReadonlyMap<string, Product>
  productByIosId: ReadonlyMap<string, Product>
  /** Several products may share an Android id, one for each base plan. */
  productsByAndroidId: ReadonlyMap<string, readonly Product[]>
  /** By price id at the payment provider. */
  productByPaymentId: ReadonlyMap<string, Product>
  access: ReadonlyMap<string, Access>
  /** By identifier, ascending. */
  offerings: readonly Offering[]
  currencies: ReadonlyMap<string, Currency>
  currencyByCode: ReadonlyMap<string, Currency>
  grantsByProduct: ReadonlyMap<string, readonly CurrencyGrant[]>
}

export function compileCatalog(rows: CatalogRows): CatalogSnapshot {
  return {
    products: keyed(rows.products, ({ id }) => id),
    productByIdentifier: keyed(rows.products, ({ identifier }) => identifier),
    productByIosId: keyed(rows.products, ({ iosId }) => iosId),
    productsByAndroidId: Map.groupBy(rows.products, ({ androidId }) => androidId ?? ''),
    productByPaymentId: keyed(rows.products, ({ paymentId }) => paymentId),
    access: keyed(rows.access, ({ id }) => id),
    offerings: rows.offerings.map(withSortedPackages).sort((a, b) => (a.identifier < b.identifier ? -1 : 1)),
    currencies: keyed(rows.currencies, ({ id }) => id),
    currencyByCode: keyed(rows.currencies, ({ code }) => code),
    grantsByProduct: Map.groupBy(rows.grants, ({ productId }) => productId),
  }
}

function keyed<Row>(rows: readonly Row[], key: (row: Row) => string | null): Map<string, Row> {
  const map = new Map<string, Row>()
  for (const row of rows) {
    const name = key(row)
    if (name !== null) map.set(name, row)
  }
  return map
}

const withSortedPackages = (offering: Offering): Offering => ({
  ...offering,
  packages: offering.packages.toSorted((a, b) => a.order - b.order),
})

/** The product that a receipt names: found by our identifier first, then by the id of the iOS store. */
export const findIosProduct = (catalog: CatalogSnapshot, productId: string): Product | null =>
  catalog.productByIdentifier.get(productId) ?? catalog.productByIosId.get(productId) ?? null
