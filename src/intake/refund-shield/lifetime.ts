import type { TransactionKind } from '../../people/purchases/model'

/** A money line, as far as its dollars matter. */
export interface MoneyLine {
  kind: TransactionKind
  /** Signed; null when the price is not known, or not in dollars. */
  usdMicros: number | null
}

export interface LifetimeMoney {
  purchasedUsdMicros: number | null
  refundedUsdMicros: number | null
}

/** What somebody paid and got back in all. One line that is not known in dollars makes its sum unknown: null. */
export function lifetimeMoney(lines: readonly MoneyLine[]): LifetimeMoney {
  const returns = lines.filter(({ kind }) => RETURNS.has(kind))
  const charges = lines.filter(({ kind }) => !RETURNS.has(kind) && !FREE.has(kind))
  const refunded = sum(returns)
  return {
    purchasedUsdMicros: sum(charges),
    // Returns are negative, and what was taken again is positive.
    refundedUsdMicros: refunded === null ? null : Math.max(0, 0 - refunded),
  }
}

const RETURNS: ReadonlySet<TransactionKind> = new Set(['REFUND', 'CHARGEBACK', 'REFUND_REVERSAL'])
const FREE: ReadonlySet<TransactionKind> = new Set(['TRIAL', 'GRANT'])

function sum(lines: readonly MoneyLine[]): number | null {
  let total = 0
  for (const { usdMicros } of lines) {
    if (usdMicros === null) return null
    total += usdMicros
  }
  return total
}
