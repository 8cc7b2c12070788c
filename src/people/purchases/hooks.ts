import { and, count, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { LIVE_STATUSES } from '../../core/purchase/status'
import type { Period, PlatformFigures } from '../../operators/platform/figures'

/** Those of the products that a purchase or a transaction names. */
export async function listSoldProductIds(
  handle: Handle,
  projectId: string,
  productIds: readonly string[],
): Promise<string[]> {
  const { purchases: p, transactions: t } = handle.tables
  const isBought = and(eq(p.projectId, projectId), inArray(p.productId, [...productIds]))
  const isPaid = and(eq(t.projectId, projectId), inArray(t.productId, [...productIds]))
  const bought = await handle.db.selectDistinct({ id: p.productId }).from(p).where(isBought)
  const paid = await handle.db.selectDistinct({ id: t.productId }).from(t).where(isPaid)
  return [...bought, ...paid].map(({ id }) => id).filter((id) => id !== null)
}

/** Production subscriptions that give access at `now`. */
export async function countActiveSubscriptions(
  { db, tables }: Handle,
  _period: Period,
  now: number,
): Promise<PlatformFigures> {
  const { purchases: p, products } = tables
  const isActive = and(
    eq(p.environment, 'PRODUCTION'),
    inArray(p.status, LIVE_STATUSES),
    or(isNull(p.effectiveEnd), gt(p.effectiveEnd, now)),
  )
  const isSubscription = and(eq(products.id, p.productId), eq(products.type, 'SUBSCRIPTION'))
  const active = db.select({ count: count() }).from(p).innerJoin(products, isSubscription).where(isActive)
  return { activeSubscriptions: (await active)[0]?.count ?? 0 }
}
