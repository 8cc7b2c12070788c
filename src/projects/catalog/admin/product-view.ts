import type { Context } from '../../../base/context'
import type { Page, Paged } from '../../../base/db/page'
import { notFound } from '../../../base/errors'
import { pageOf } from '../../../base/http/id-list'
import { toJsonInteger } from '../../../base/lib/int64'
import { toIso } from '../../../base/lib/time'
import { listRevisionsWith } from '../../audit/revisions'
import { loadCatalog, type ProductRow } from '../queries'
import type { CurrencyGrant } from '../snapshot'

export const toGrantView = ({ currencyId, amount, grantOn }: CurrencyGrant) => ({
  currencyId,
  amount: toJsonInteger(amount),
  grantOn,
})

export const toProductView = (row: ProductRow, grants: readonly CurrencyGrant[]) => ({
  id: row.id,
  identifier: row.identifier,
  type: row.type,
  displayName: row.displayName,
  storeIds: { ios: row.iosId, android: row.androidId, payment: row.paymentId },
  androidBasePlanId: row.androidBasePlanId,
  androidOfferId: row.androidOfferId,
  period: row.period,
  price: row.price,
  accessIds: row.accessIds,
  isActive: row.isActive,
  metadata: row.metadata,
  grants: ordered(grants).map(toGrantView),
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type ProductView = ReturnType<typeof toProductView> & { revision: number }

/** Grants by currency and trigger. */
export const ordered = (grants: readonly CurrencyGrant[]): CurrencyGrant[] =>
  grants.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))

const keyOf = ({ currencyId, grantOn }: CurrencyGrant): string => `${currencyId} ${grantOn}`

/** The newest first. */
export async function listProducts(ctx: Context, projectId: string, page: Page): Promise<Paged<ProductView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'prd')
  const { products, grants } = await loadCatalog(ctx, projectId)
  const byProduct = Map.groupBy(grants, ({ productId }) => productId)
  const { items, hasMore } = pageOf(products, page)
  const views = items.map((row) => toProductView(row, byProduct.get(row.id) ?? []))
  return { items: views.map((view) => ({ ...view, revision: revisions.get(view.id) ?? 1 })), hasMore }
}

export async function getProduct(ctx: Context, projectId: string, id: string): Promise<ProductView> {
  const revisions = await listRevisionsWith(ctx, projectId, 'prd')
  const { products, grants } = await loadCatalog(ctx, projectId)
  const row = products.find((each) => each.id === id)
  if (!row) throw notFound('product', id)
  const own = grants.filter(({ productId }) => productId === id)
  return { ...toProductView(row, own), revision: revisions.get(id) ?? 1 }
}
