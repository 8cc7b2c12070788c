import { DAY } from '../../base/lib/clock'
import { givesAccess, type PurchaseStatus } from '../../core/purchase/status'
import type { ExpiryReason } from '../../stores/observation'
import type { PurchaseFold, PurchaseState } from './model'

/** How long a purchase stays in BILLING_RETRY without a further report of the store. */
export const BILLING_RETRY_LIMIT = 60 * DAY

/** Why a purchase gives access, or why it does not (wire 2.21). */
export type AccessRule =
  | 'ACTIVE_BEFORE_END'
  | 'TRIAL_BEFORE_END'
  | 'GRACE_PERIOD_BEFORE_END'
  | 'LIFETIME'
  | 'PAST_END'
  | 'BILLING_RETRY'
  | 'PAUSED'
  | 'REFUNDED'
  | 'REVOKED'
  | 'NOT_OWNED'
  | 'NOT_YET_BOUGHT'
  | 'NO_PRODUCT'

/**
 * The purchase with its status at `now`. An expired purchase has the reported reason or, without one, the likely
 * reason.
 */
export const statusAt = (fold: PurchaseFold, now: number): PurchaseState => withStatus(fold, decideStatus(fold, now))

/** Whether the next period will be charged. A refund takes the paid one back, and the store may renew all the same. */
export function willRenew(fold: PurchaseFold, now: number): boolean {
  return fold.productType === 'SUBSCRIPTION' && fold.autoRenews && decideStatus(fold, now) !== 'EXPIRED'
}

/** Whether a purchase gives access or will be charged again. */
export const goesOn = (fold: PurchaseFold, now: number): boolean =>
  givesAccess(decideStatus(fold, now)) || willRenew(fold, now)

/** The purchase with a given status, and with the expiry reason that belongs to it. */
export const withStatus = (fold: PurchaseFold, status: PurchaseStatus): PurchaseState => ({
  ...fold,
  status,
  expiryReason: status === 'EXPIRED' ? endReasonOf(fold) : fold.expiryReason,
})

/** The later of the ends of the paid period and of the grace period; null = never ends. */
export function effectiveEnd({ expiresAt, gracePeriodExpiresAt }: PurchaseFold): number | null {
  return expiresAt === null ? null : Math.max(expiresAt, gracePeriodExpiresAt ?? expiresAt)
}

/** The rule that decides at `now`. Null (nothing was bought yet) gives NOT_YET_BOUGHT; NOT_OWNED and NO_PRODUCT are never returned. */
export function statusReason(state: PurchaseFold | null, now: number): AccessRule {
  if (!state) return 'NOT_YET_BOUGHT'
  const status = decideStatus(state, now)
  if (status === 'ACTIVE') return effectiveEnd(state) === null ? 'LIFETIME' : 'ACTIVE_BEFORE_END'
  return RULES[status]
}

const RULES: Record<Exclude<PurchaseStatus, 'ACTIVE'>, AccessRule> = {
  TRIAL: 'TRIAL_BEFORE_END',
  GRACE_PERIOD: 'GRACE_PERIOD_BEFORE_END',
  BILLING_RETRY: 'BILLING_RETRY',
  PAUSED: 'PAUSED',
  EXPIRED: 'PAST_END',
  REFUNDED: 'REFUNDED',
  REVOKED: 'REVOKED',
}

/** The next instant after `now` at which the status changes by the clock alone; null = none. */
export function nextStatusChangeAt(fold: PurchaseFold, now: number): number | null {
  const status = decideStatus(fold, now)
  const { pausedAt, expiresAt, gracePeriodExpiresAt } = fold
  let next: number | null = null
  for (const instant of [pausedAt, expiresAt, gracePeriodExpiresAt, retryEnd(fold)])
    if (
      instant !== null &&
      instant > now &&
      (next === null || instant < next) &&
      decideStatus(fold, instant) !== status
    )
      next = instant
  return next
}

/** The table of wire 4.2: the first line that matches. */
function decideStatus(fold: PurchaseFold, now: number): PurchaseStatus {
  const { revokedAt, refundedAt, pausedAt, billingTrouble, expiresAt, gracePeriodExpiresAt } = fold
  // The newer one of a refund and a revocation decides; at the same instant the revocation does.
  if (revokedAt !== null && revokedAt >= (refundedAt ?? revokedAt)) return 'REVOKED'
  if (refundedAt !== null) return 'REFUNDED'
  if (hasPassed(pausedAt, now)) return 'PAUSED'
  if (billingTrouble !== 'NONE') {
    if (gracePeriodExpiresAt !== null && now < gracePeriodExpiresAt) return 'GRACE_PERIOD'
    if (hasPassed(expiresAt, now)) return hasPassed(retryEnd(fold), now) ? 'EXPIRED' : 'BILLING_RETRY'
  }
  if (hasPassed(effectiveEnd(fold), now)) return 'EXPIRED'
  return fold.isTrial ? 'TRIAL' : 'ACTIVE'
}

/** Access ends at the exact instant, not after it. */
const hasPassed = (instant: number | null, now: number): boolean => instant !== null && now >= instant

/** 60 days after the end, or after a later report of the store. */
function retryEnd({ billingTrouble, expiresAt, storeEventAt }: PurchaseFold): number | null {
  if (billingTrouble === 'NONE' || expiresAt === null) return null
  const limit = expiresAt + BILLING_RETRY_LIMIT
  return storeEventAt < limit ? limit : storeEventAt + BILLING_RETRY_LIMIT
}

/** Why it has ended; while it has not, why it would have if it ended now. */
export function endReasonOf(fold: PurchaseFold): ExpiryReason {
  if (fold.expiryReason) return fold.expiryReason
  if (fold.billingTrouble !== 'NONE') return 'BILLING_ERROR'
  if (fold.priceConsent === 'DECLINED') return 'PRICE_INCREASE'
  return fold.cancelledAt === null ? 'UNKNOWN' : 'UNSUBSCRIBED'
}
