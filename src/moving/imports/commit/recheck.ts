import { DAY } from '../../../base/lib/clock'
import type { PurchaseRow } from '../../../people/purchases/queries'
import { BILLING_RETRY_LIMIT } from '../../../people/purchases/status'
import type { RowChain } from './chains'

/**
 * When the reconciler asks the store about an imported purchase. Verification asks first, so not before a day has
 * passed. It does not ask about what ended long ago, nor about what the store knows by another id.
 */
export function importedRecheckAt(
  { recheckAt, effectiveEnd }: PurchaseRow,
  { isAskable }: RowChain,
  now: number,
): number | null {
  const isLongOver = effectiveEnd !== null && effectiveEnd + BILLING_RETRY_LIMIT < now
  if (recheckAt === null || !isAskable || isLongOver) return null
  return Math.max(recheckAt, now + DAY)
}
