import type { TransactionKind } from '../../people/purchases/model'

/** The parts of a money line that a sum of dollars needs. */
export interface MoneyLine {
  kind: TransactionKind
  /** Signed; null when the price is not known, or not in dollars. */
  usdMicros: number | null
}

export interface LifetimeMoney {
  purchasedUsdMicros: number | null
  refundedUsdMicros: number | null
}

/** What a person paid and got back in total. A sum is null (unknown) when one of its lines is not known in dollars. */
export function lifetimeMoney(lines: readonly MoneyLine[]): LifetimeMoney {
  const returns = lines.filter(({ kind }) => RETURNS.has(kind))
  const charges = lines.filter(({ kind }) => !RETURNS.has(kind) && !FREE.has(kind))
  const refunded = sum(returns)
  return {
    purchasedUsdMicros: sum(charges),
    // Refunds are negative. A reversed refund, which is charged again, is positive.
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
