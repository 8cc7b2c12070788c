import { chargeKey, isGivenBack, isPaidCharge, isReturn } from '../../people/purchases/lines'
import type { TransactionLine } from '../../people/purchases/model'
import type { SavedLine } from '../../people/purchases/line-rows'
import { type Commission, commissionOf } from './commission'
import type { Entry, Values } from './model'


/** The entries of the money lines of a purchase: charges, returned money, and trials that began. */
export function lineEntries(
  saved: readonly SavedLine[],
  commission: Commission,
  pendingUntil: (trial: TransactionLine) => number,
): Entry[] {
  const lines = saved.map(({ line }) => line)
  const paidSince = lines.find(isPaidCharge)?.occurredAt ?? null
  const shares = commissionOf(saved, commission, paidSince)
  return saved.flatMap((one) => {
    const { line, row } = one
    const { key, occurredAt: at, storeProductId } = line
    const about = { key, transactionId: row.id, at, storeProductId, pendingUntil: null }
    if (line.kind === 'TRIAL') return [{ ...about, kind: 'TRIAL', ...trialPart(lines, line, pendingUntil) }]
    if (line.kind === 'GRANT' || line.price === null) return []
    return [{ ...about, kind: 'LINE', values: moneyValues(one, lines, shares.get(line.key) ?? 0) }]
  })
}

function trialPart(
  lines: readonly TransactionLine[],
  trial: TransactionLine,
  pendingUntil: (trial: TransactionLine) => number,
): Pick<Entry, 'values' | 'pendingUntil'> {
  const isConverted = lines.some((line) => isPaidCharge(line) && line.occurredAt > trial.occurredAt)
  return isConverted
    ? { values: { trialStarts: 1, trialConverted: 1 }, pendingUntil: null }
    : { values: { trialStarts: 1 }, pendingUntil: pendingUntil(trial) }
}

function moneyValues({ line, row }: SavedLine, lines: readonly TransactionLine[], commission: number): Values {
  const { usdMicros } = row
  if (usdMicros === null) return { unconverted: 1 }
  if (isReturn(line) || line.kind === 'REFUND_REVERSAL') return { refunds: -usdMicros, commission }
  const isPositive = usdMicros > 0
  return {
    gross: usdMicros,
    commission,
    charges: isPositive ? 1 : 0,
    returned: isPositive && isGivenBack(line.storeTransactionId, lines) ? 1 : 0,
  }
}

/** USD micros that were charged for each transaction of the saved lines, by key; without grants and family shares. */
export const chargedOf = (saved: readonly SavedLine[]): ReadonlyMap<string, SavedLine> =>
  new Map(
    saved
      .filter(({ line }) => isPaidCharge(line) && line.key === chargeKey(line.storeTransactionId))
      .map((one) => [one.line.storeTransactionId, one]),
  )
