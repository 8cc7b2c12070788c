import type { HeldPurchase } from '../purchases/holdings'
import { effectiveEnd } from '../purchases/status'
import type { Entitlement } from './compute'

/**
 * The access that matters first: an active one, of several that of the newest purchase; else the one that
 * was lost last. Null without any. What was never bought or granted never leads.
 */
export function leadingAccess(
  entitlements: readonly Entitlement[],
  purchases: readonly Pick<HeldPurchase, 'id' | 'fold'>[],
): string | null {
  const folds = new Map(purchases.map(({ id, fold }) => [id, fold]))
  const ranked = entitlements.map(({ access, isActive, purchaseId }) => {
    const fold = folds.get(purchaseId)
    return { access, isActive, at: fold ? (isActive ? fold.purchaseDate : lostAt(fold)) : 0 }
  })
  ranked.sort((a, b) => Number(b.isActive) - Number(a.isActive) || b.at - a.at)
  return ranked[0]?.access ?? null
}

const lostAt = (fold: HeldPurchase['fold']): number =>
  fold.refundedAt ?? fold.revokedAt ?? effectiveEnd(fold) ?? fold.purchaseDate
