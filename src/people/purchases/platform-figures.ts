import { and, count, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Period, PlatformFigures } from '../../operators/platform/figures'

/** Production subscriptions that give access at `now`. */
export async function countActiveSubscriptions(
  { db, tables }: Handle,
  _period: Period,
  now: number,
): Promise<PlatformFigures> {
  const { purchases: p, products } = tables
  const isActive = and(
    eq(p.environment, 'PRODUCTION'),
    inArray(p.status, ['TRIAL', 'ACTIVE', 'GRACE_PERIOD']),
    or(isNull(p.effectiveEnd), gt(p.effectiveEnd, now)),
  )
  const isSubscription = and(eq(products.id, p.productId), eq(products.type, 'SUBSCRIPTION'))
  const active = db.select({ count: count() }).from(p).innerJoin(products, isSubscription).where(isActive)
  return { activeSubscriptions: (await active)[0]?.count ?? 0 }
}
