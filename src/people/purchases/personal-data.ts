import { and, eq, inArray, isNotNull, or } from 'drizzle-orm'
import type { OnErase } from '../subscribers/hooks'
import type { ErasedColumn } from './columns'
import type { PurchaseRow } from './queries'
import { eraseSales } from './unlisted-sales'

const PAGE = 500

const CLEARED: Pick<PurchaseRow, ErasedColumn> = { accountToken: null, presentedContext: null }

/**
 * At an erasure: purchases and unlisted sales stay without what the app has said about them, and without the account that the store sold
 * to. What the store reports names no person.
 */
export const erasePurchases: OnErase = async (tx, _project, _subscriber, { purchaseIds }) => {
  const { purchases: p, observations: o } = tx.tables
  let purchases = 0
  let sales = 0
  let observations = 0
  for (let at = 0; at < purchaseIds.length; at += PAGE) {
    const ids = purchaseIds.slice(at, at + PAGE)
    const says = or(isNotNull(p.presentedContext), isNotNull(p.accountToken))
    const reduced = await tx.db
      .update(p)
      .set(CLEARED)
      .where(and(inArray(p.id, ids), says))
      .returning({ id: p.id })
    purchases += reduced.length
    sales += await eraseSales(tx, ids)
    const causes = await tx.db
      .select({ purchaseId: o.purchaseId, kind: o.kind, id: o.id, cause: o.cause })
      .from(o)
      .where(inArray(o.purchaseId, ids))
    for (const { purchaseId, kind, id, cause } of causes)
      await tx.db
        .update(o)
        .set({ cause: { kind: cause.kind, ref: null } })
        .where(and(eq(o.purchaseId, purchaseId), eq(o.kind, kind), eq(o.id, id)))
    observations += causes.length
  }
  return {
    purchases: { reduced: purchases },
    unlisted_sales: { reduced: sales },
    purchase_observations: { reduced: observations },
  }
}
