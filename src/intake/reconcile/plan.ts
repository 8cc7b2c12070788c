import { canonicalJson } from '../../base/lib/hash'
import type { PurchaseFold, PurchaseState } from '../../people/purchases/model'
import { statusAt } from '../../people/purchases/status'

/** The parts of a purchase that an answer of the store can correct. */
export interface ComparedPurchase {
  fold: PurchaseFold
  /** The product in the catalogue. Without one the purchase gives no access. */
  productId: string | null
  /** Its money lines; the amount is null as long as the store has not reported it. */
  lines: readonly { revenueKey: string; amountMicros: number | null }[]
}

/** `SAME`: nothing to save. `TOLD`: the store reported more than was known. `DRIFT`: the recorded state was wrong. */
export type Comparison = 'SAME' | 'TOLD' | 'DRIFT'

/** Compares a purchase before and after an answer of the store, both as of `now`. */
export function compare(before: ComparedPurchase, after: ComparedPurchase, now: number): Comparison {
  const was = { ...before, state: statusAt(before.fold, now) }
  const is = { ...after, state: statusAt(after.fold, now) }
  if (canonicalJson(rightsOf(was)) !== canonicalJson(rightsOf(is))) return 'DRIFT'
  return canonicalJson(factsOf(was)) === canonicalJson(factsOf(is)) ? 'SAME' : 'TOLD'
}

type Stated = ComparedPurchase & { state: PurchaseState }

/** Status, product, dates, renewal and charges: the facts from which access, events and money are computed. */
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

// Without the time of the store's last report: a newer report with the same facts changes nothing.
function factsOf({ state, lines }: Stated) {
  const { storeEventAt: _, ...facts } = state
  return { facts, amounts: Object.fromEntries(lines.map(({ revenueKey, amountMicros }) => [revenueKey, amountMicros])) }
}
