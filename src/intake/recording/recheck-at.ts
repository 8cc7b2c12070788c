import { DAY, MINUTE } from '../../base/lib/clock'
import { isOver } from '../../core/purchase/status'
import type { PurchaseFold } from '../../people/purchases/model'
import { effectiveEnd, nextStatusChangeAt, statusAt } from '../../people/purchases/status'

/** The greatest age of the store's last report about a running purchase (wire 5.5). */
export const REPORT_LIFETIME_MS = DAY

/** The wait after a change of status by time: the store's own notification has mostly arrived by then. */
export const SETTLE_MS = 15 * MINUTE

/**
 * When to query the store about a purchase again if its last report is of `reportedAt`; null = never. A running
 * purchase is queried a day later, or shortly after its status changes by time. An expired purchase is queried until a
 * report is at least a day later than the end, because a charge may be late. A refunded or revoked one is final.
 */
export function recheckAt(fold: PurchaseFold, reportedAt: number): number | null {
  const { status } = statusAt(fold, reportedAt)
  if (isOver(status)) return status === 'EXPIRED' && isFresh(fold, reportedAt) ? reportedAt + REPORT_LIFETIME_MS : null
  const changeAt = nextStatusChangeAt(fold, reportedAt)
  const staleAt = reportedAt + reportLifetimeMs(fold, reportedAt)
  return changeAt === null ? staleAt : Math.min(staleAt, changeAt + SETTLE_MS)
}

const isFresh = (fold: PurchaseFold, reportedAt: number): boolean =>
  reportedAt < (effectiveEnd(fold) ?? reportedAt) + DAY

/**
 * How long a report stays current. A one-time purchase can change only by a refund, which gets less likely with age.
 * So its interval grows with its age.
 */
function reportLifetimeMs({ productType, purchaseDate }: PurchaseFold, reportedAt: number): number {
  if (productType === 'SUBSCRIPTION') return REPORT_LIFETIME_MS
  return Math.max(REPORT_LIFETIME_MS, Math.floor((reportedAt - purchaseDate) / 10))
}
