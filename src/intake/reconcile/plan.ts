import { canonicalJson } from '../../base/lib/hash'
import type { PurchaseFold, PurchaseState } from '../../people/purchases/model'
import { statusAt } from '../../people/purchases/status'

/** What a purchase is, and what an answer of the store can put right. */
export interface ComparedPurchase {
  fold: PurchaseFold
  /** Of our catalogue: without one it gives no access. */
  productId: string | null
  /** Its money lines; the amount is null while the store does not tell it. */
  lines: readonly { revenueKey: string; amountMicros: number | null }[]
}

/** `SAME`: nothing to keep. `TOLD`: the store tells more than was known. `DRIFT`: something was wrong here. */
export type Comparison = 'SAME' | 'TOLD' | 'DRIFT'

/** Compares a purchase before and after an answer of the store, both as of `now`. */
export function compare(before: ComparedPurchase, after: ComparedPurchase, now: number): Comparison {
  const was = { ...before, state: statusAt(before.fold, now) }
  const is = { ...after, state: statusAt(after.fold, now) }
  if (canonicalJson(rightsOf(was)) !== canonicalJson(rightsOf(is))) return 'DRIFT'
  return canonicalJson(factsOf(was)) === canonicalJson(factsOf(is)) ? 'SAME' : 'TOLD'
}

type Stated = ComparedPurchase & { state: PurchaseState }

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
