import { and, eq, inArray } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

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
