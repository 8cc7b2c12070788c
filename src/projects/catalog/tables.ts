import type { Kit } from '../../base/db/kit'
import type { Money } from '../../base/lib/money'
import type { Clawback } from '../../core/project/settings'
import type { ProductType } from '../../stores/observation'

export interface OfferingPackage {
  identifier: string
  productId: string
  order: number
  isPromoted: boolean
  metadata: Record<string, unknown>
}

export type GrantOn = 'PURCHASE' | 'RENEWAL' | 'BOTH'

export const catalogTables = (k: Kit) => ({
  access: k.table(
    'access',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      identifier: k.str().notNull(),
      displayName: k.str().notNull(),
      description: k.str(),
      metadata: k.json<Record<string, unknown>>().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('access_identifier').on(t.projectId, t.identifier)],
  ),

  products: k.table(
    'products',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      identifier: k.str().notNull(),
      type: k.str().$type<ProductType>().notNull(),
      displayName: k.str().notNull(),
      iosId: k.str(),
      androidId: k.str(),
      paymentId: k.str(),
      androidBasePlanId: k.str(),
      androidOfferId: k.str(),
      /** ISO 8601 duration of one period, for subscriptions. */
      period: k.str(),
      /** What the built-in test store charges for it; real stores have their own prices. */
      price: k.json<Money | null>(),
      accessIds: k.json<string[]>().notNull(),
      isActive: k.bool().notNull(),
      metadata: k.json<Record<string, unknown>>().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.unique('products_identifier').on(t.projectId, t.identifier),
      k.unique('products_ios').on(t.projectId, t.iosId),
      k.index('products_android').on(t.projectId, t.androidId),
      k.unique('products_payment').on(t.projectId, t.paymentId),
    ],
  ),

  currencyGrants: k.table(
    'currency_grants',
    {
      projectId: k.str().notNull(),
      productId: k.str().notNull(),
      currencyId: k.str().notNull(),
      amount: k.int64().notNull(),
      grantOn: k.str().$type<GrantOn>().notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.productId, t.currencyId, t.grantOn] }),
      k.index('grants_project').on(t.projectId),
    ],
  ),

  offerings: k.table(
    'offerings',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      identifier: k.str().notNull(),
      isDefault: k.bool().notNull(),
      packages: k.json<OfferingPackage[]>().notNull(),
      metadata: k.json<Record<string, unknown>>().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('offerings_identifier').on(t.projectId, t.identifier)],
  ),

  virtualCurrencies: k.table(
    'virtual_currencies',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      code: k.str().notNull(),
      name: k.str().notNull(),
      /** Null = the setting of the project applies. */
      clawback: k.str().$type<Clawback>(),
      archivedAt: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('virtual_currencies_code').on(t.projectId, t.code)],
  ),
})

type CatalogTables = ReturnType<typeof catalogTables>

declare module '../../base/db/tables' {
  interface Tables extends CatalogTables {}
}
