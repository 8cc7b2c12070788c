import { toJsonInteger } from '../../../base/lib/int64'
import type { AuditEntry } from '../../audit/audit'
import type { Access, CatalogRows, Currency, CurrencyGrant, Offering, Product } from '../snapshot'

interface Change<Row> {
  before: Row | null
  after: Row | null
}

/** The audit entry of a change. `image` returns what the audit log stores, the same members as of a project file. */
export const entryOf = <Row extends { id: string }>(
  type: string,
  verb: string,
  { before, after }: Change<Row>,
  image: (row: Row) => object,
): AuditEntry => ({
  action: `${type}.${verb}`,
  target: { type, id: (after ?? before)?.id ?? '' },
  before: before && image(before),
  after: after && image(after),
})

export const accessImage = ({ identifier, displayName, description, metadata }: Access) => ({
  identifier,
  displayName,
  description,
  metadata,
})

export const currencyImage = ({ code, name, clawback, archivedAt }: Currency) => ({
  code,
  name,
  clawback,
  isArchived: archivedAt !== null,
})

/** A product with its grants. */
export interface GrantingProduct extends Product {
  grants: readonly CurrencyGrant[]
}

export const productImage =
  ({ access, currencies }: CatalogRows) =>
  ({ id, iosId, androidId, paymentId, accessIds, grants, ...product }: GrantingProduct) => ({
    identifier: product.identifier,
    type: product.type,
    displayName: product.displayName,
    period: product.period,
    price: product.price,
    storeIds: { ios: iosId, android: androidId, payment: paymentId },
    androidBasePlanId: product.androidBasePlanId,
    androidOfferId: product.androidOfferId,
    accessIds: accessIds.map((accessId) => access.find((row) => row.id === accessId)?.identifier ?? accessId),
    isActive: product.isActive,
    metadata: product.metadata,
    grants: grants.map(({ currencyId, amount, grantOn }) => ({
      currency: currencies.find((row) => row.id === currencyId)?.code ?? currencyId,
      amount: toJsonInteger(amount),
      grantOn,
    })),
  })

export const offeringImage =
  ({ products }: CatalogRows) =>
  ({ identifier, isDefault, packages, metadata }: Offering) => ({
    identifier,
    isDefault,
    packages: packages.map(({ productId, ...slot }) => ({
      ...slot,
      product: products.find(({ id }) => id === productId)?.identifier ?? productId,
    })),
    metadata,
  })
