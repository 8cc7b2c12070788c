import { DAY, MINUTE } from '../../base/lib/clock'
import { canonicalJson } from '../../base/lib/hash'
import type { PurchaseFold, PurchaseState, PurchaseStatus } from '../../people/purchases/model'
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

/** What a purchase is, and what an answer of the store can put right. */
export interface Standing {
  fold: PurchaseFold
  /** Of our catalogue: without one it gives no access. */
  productId: string | null
  /** Its money lines; the amount is null while the store does not tell it. */
  lines: readonly { revenueKey: string; amountMicros: number | null }[]
}

/** `SAME`: nothing to keep. `TOLD`: the store tells more than was known. `DRIFT`: something was wrong here. */
export type Comparison = 'SAME' | 'TOLD' | 'DRIFT'

/** Compares a purchase before and after an answer of the store, both as of `now`. */
export function compare(before: Standing, after: Standing, now: number): Comparison {
  const was = { ...before, state: statusAt(before.fold, now) }
  const is = { ...after, state: statusAt(after.fold, now) }
  if (canonicalJson(rightsOf(was)) !== canonicalJson(rightsOf(is))) return 'DRIFT'
  return canonicalJson(factsOf(was)) === canonicalJson(factsOf(is)) ? 'SAME' : 'TOLD'
}

type Stated = Standing & { state: PurchaseState }

/** Status, product, dates, how it goes on and what was charged: what access, events and money are made of. */
const rightsOf = ({ state, productId, lines }: Stated) => ({
  productId,
  status: state.status,
  storeProductId: state.storeProductId,
  storeTransactionId: state.storeTransactionId,
  expiresAt: state.expiresAt,
  gracePeriodExpiresAt: state.gracePeriodExpiresAt,
  pausedAt: state.pausedAt,
  autoRenews: state.autoRenews,
  pendingStoreProductId: state.pendingStoreProductId,
  isRefunded: state.refundedAt !== null,
  isRevoked: state.revokedAt !== null,
  charges: lines.map(({ revenueKey }) => revenueKey).toSorted(),
})

// That the store was heard again is no news.
function factsOf({ state, lines }: Stated) {
  const { storeEventAt: _, ...facts } = state
  return { facts, amounts: Object.fromEntries(lines.map(({ revenueKey, amountMicros }) => [revenueKey, amountMicros])) }
}
