import { DAY, MINUTE } from '../../base/lib/clock'
import type { PurchaseFold, PurchaseStatus } from '../../people/purchases/model'
import { effectiveEnd, nextStatusChangeAt, statusAt } from '../../people/purchases/status'

/** How old the store's last word about a running purchase may be (wire 5.5). */
export const WORD_LIFE_MS = DAY

/** What the clock has changed is asked about this much later: the store's own news of it is mostly here by then. */
export const SETTLE_MS = 15 * MINUTE

const RUNNING: ReadonlySet<PurchaseStatus> = new Set(['TRIAL', 'ACTIVE', 'GRACE_PERIOD', 'BILLING_RETRY', 'PAUSED'])

/**
 * When the store is to be asked about a purchase again, having last been heard at `heardAt`; null = never. While it
 * runs: a day later, or shortly after the clock changes its status. Once it is over: until there is a word from a day
 * after the end, for a charge may be late. A refund or a revocation is such a word by itself.
 */
export function recheckAt(fold: PurchaseFold, heardAt: number): number | null {
  const { status } = statusAt(fold, heardAt)
  if (!RUNNING.has(status)) return status === 'EXPIRED' && isFresh(fold, heardAt) ? heardAt + WORD_LIFE_MS : null
  const changeAt = nextStatusChangeAt(fold, heardAt)
  const staleAt = heardAt + wordLife(fold, heardAt)
  return changeAt === null ? staleAt : Math.min(staleAt, changeAt + SETTLE_MS)
}

const isFresh = (fold: PurchaseFold, heardAt: number): boolean => heardAt < (effectiveEnd(fold) ?? heardAt) + DAY

/** What was bought once only ever changes by a refund, and the older it is the less likely that is: asked ever less. */
function wordLife({ productType, purchaseDate }: PurchaseFold, heardAt: number): number {
  if (productType === 'SUBSCRIPTION') return WORD_LIFE_MS
  return Math.max(WORD_LIFE_MS, Math.floor((heardAt - purchaseDate) / 10))
}
