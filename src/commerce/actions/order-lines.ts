import type { Handle } from '../../base/db/handle'
import { type Charge, chargeOf } from '../../people/purchases/charges'
import { listPurchasesOfChain, type PurchaseRow } from '../../people/purchases/holdings'
import { statusAt } from '../../people/purchases/status'
import { splitAndroidId } from '../../stores/android/purchase-id'
import { refundMarker, revocationMarker } from '../../stores/android/voided'
import type { Marker } from '../../stores/observation'

/** A line that a refund concerns, and what is recorded of it. */
export interface ConcernedLine {
  purchase: PurchaseRow
  marker: Marker
}

/**
 * The other lines that a refund of the whole order of a charge concerns: those that it charged, and those of a running
 * subscription, which Google ends with all of its products whichever of its orders is refunded.
 */
export async function otherLines(
  handle: Handle,
  { purchase, storeTransactionId, isCurrent }: Charge,
  now: number,
): Promise<ConcernedLine[]> {
  if (purchase.store !== 'ANDROID_STORE') return []
  const others: ConcernedLine[] = []
  const endsAll = isCurrent && isRunning(purchase, now)
  for (const line of await listPurchasesOfChain(handle, purchase.projectId, purchase.store, purchase.chainKey)) {
    if (line.id === purchase.id) continue
    const own = await chargeOf(handle, line, storeTransactionId)
    if (own.line && !own.isGivenBack) others.push({ purchase: line, marker: refundMarker(storeTransactionId, now) })
    else if (endsAll && isRunning(line, now))
      others.push({ purchase: line, marker: revocationMarker(line.fold.storeTransactionId, now) })
  }
  return others
}

/** The product by which Google names an item of a running subscription; null when nothing of it can be taken back alone. */
export const itemOf = ({ purchase, isCurrent }: Charge, now: number): string | null =>
  isCurrent && isRunning(purchase, now) ? splitAndroidId(purchase.fold.storeProductId).productId : null

const isRunning = ({ fold }: PurchaseRow, now: number): boolean =>
  fold.productType === 'SUBSCRIPTION' && !ENDED.includes(statusAt(fold, now).status)

const ENDED: readonly string[] = ['EXPIRED', 'REFUNDED', 'REVOKED']
