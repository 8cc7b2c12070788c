import type { Money } from '../../base/lib/money'
import { type NextPeriod, offerStateOf, type TransactionPart } from '../../stores/observation'
import type { PlacedReport } from './history'
import type { PurchaseFold } from './model'

/**
 * What a purchase costs for each period, and what it will cost from its next period on, where that is known to differ
 * (purchases 4.1). The store tells the price of the next period. It is that of each period when the next one is of the
 * same product under the same offer; after a trial, or before the customer has agreed to it, it is not.
 */
export function priceMembers(
  reports: readonly PlacedReport[],
  part: TransactionPart,
  { expiresAt, autoRenews, priceConsent }: Pick<PurchaseFold, 'expiresAt' | 'autoRenews' | 'priceConsent'>,
): Pick<PurchaseFold, 'price' | 'priceAfter'> {
  const next = nextPeriod(reports, part)
  if (!next) return { price: part.price }
  const isSame = next.storeProductId === part.storeProductId && next.offer === offerStateOf(part)
  if (isSame && !part.isTrial && priceConsent !== 'PENDING') return { price: next.price }
  if (!autoRenews || expiresAt === null || isSameMoney(next.price, part.price)) return { price: part.price }
  return { price: part.price, priceAfter: { price: next.price, from: expiresAt } }
}

const isSameMoney = (a: Money, b: Money | null): boolean =>
  a.amountMicros === b?.amountMicros && a.currency === b.currency

/** The last that was told while the present transaction was the current one. A family share costs its holder nothing. */
function nextPeriod(reports: readonly PlacedReport[], part: TransactionPart): NextPeriod | null {
  if (part.ownershipType === 'FAMILY_SHARED') return null
  const told = reports.findLast(
    ({ report, currentId }) => report.renewal?.next !== undefined && currentId === part.transactionId,
  )
  return told?.report.renewal?.next ?? null
}
