import type { Money } from '../../base/lib/money'
import { toDecimal } from '../../core/money/money'
import { firstPaid } from '../../people/purchases/commission'
import type { SavedLine } from '../../people/purchases/line-rows'
import { chargeKey, isCharge, isPaidCharge, isReturn } from '../../people/purchases/lines'
import type { TransactionLine } from '../../people/purchases/model'
import type { Commission } from '../../projects/connections/commission-rates'
import type { ProductType } from '../../stores/observation'
import { commissionOf } from './commission'
import type { Entry, Values } from './model'

/** What the entries of money lines depend on, besides the lines. */
export interface LineRules {
  productType: ProductType
  commission: Commission
  /** When it is decided that a trial is not charged. */
  pendingUntil: (trial: TransactionLine) => number
}

/** The entries of the money lines of a purchase: charges, returned money, and trials that started. */
export function lineEntries(
  saved: readonly SavedLine[],
  { productType, commission, pendingUntil }: LineRules,
): Entry[] {
  const lines = saved.map(({ line }) => line)
  const prices = new Map(lines.map((line) => [line.key, line.price]))
  const first = firstPaid(lines, ({ price }) => price?.amountMicros ?? null)
  const shares = commissionOf(saved, { productType, commission, paidSince: first?.occurredAt ?? null })
  const moves = lines.filter((line) => !isCharge(line))
  const kind = productType === 'SUBSCRIPTION' ? 'LINE' : 'ONCE'
  return saved.flatMap((one): Entry[] => {
    const { line, row } = one
    const { key, occurredAt: at, storeProductId } = line
    const about = { key, transactionId: row.id, at, storeProductId, pendingUntil: null }
    if (line.kind === 'TRIAL')
      return [{ ...about, kind: 'TRIAL', price: null, ...trialPart(lines, line, pendingUntil) }]
    if (line.kind === 'GRANT' || line.price === null) return []
    const price = pricePoint(prices.get(chargeKey(line.storeTransactionId)))
    return [{ ...about, kind, price, values: moneyValues(one, { first, moves }, shares.get(key) ?? 0, kind) }]
  })
}

function trialPart(
  lines: readonly TransactionLine[],
  trial: TransactionLine,
  pendingUntil: (trial: TransactionLine) => number,
): Pick<Entry, 'values' | 'pendingUntil'> {
  const isConverted = lines.slice(lines.indexOf(trial) + 1).some(isPaidCharge)
  return isConverted
    ? { values: { trialStarts: 1, trialConverted: 1 }, pendingUntil: null }
    : { values: { trialStarts: 1 }, pendingUntil: pendingUntil(trial) }
}

/** What of the other lines of a purchase decides how one counts. */
interface AmongLines {
  first: TransactionLine | undefined
  /** Refunds, chargebacks and reversals. */
  moves: readonly TransactionLine[]
}

function moneyValues(
  { line, row }: SavedLine,
  { first, moves }: AmongLines,
  commission: number,
  kind: 'LINE' | 'ONCE',
): Values {
  const { usdMicros } = row
  if (usdMicros === null)
    return { unconverted: 1, unconvertedCharges: isCharge(line) && (row.amountMicros ?? 0) > 0 ? 1 : 0 }
  if (!isCharge(line)) return { refunds: -usdMicros, commission }
  const isPositive = usdMicros > 0
  return {
    gross: usdMicros,
    commission,
    charges: isPositive ? 1 : 0,
    renewals: kind === 'LINE' && isPositive && line.kind !== 'ADJUSTMENT' && line !== first ? 1 : 0,
    returned: isPositive && isReturned(line.storeTransactionId, moves) ? 1 : 0,
  }
}

/** Whether some of a charge is still given back. Without amounts each refund counts alone. */
function isReturned(storeTransactionId: string, all: readonly TransactionLine[]): boolean {
  const moves = all.filter((line) => line.storeTransactionId === storeTransactionId)
  if (moves.length === 0) return false
  if (moves.every(({ price }) => price))
    return moves.reduce((sum, { price }) => sum + (price?.amountMicros ?? 0), 0) < 0
  return moves.filter(isReturn).length > moves.filter(({ kind }) => kind === 'REFUND_REVERSAL').length
}

/** USD micros that were charged for each transaction of the saved lines, by key; without grants and family shares. */
export const chargedOf = (saved: readonly SavedLine[]): ReadonlyMap<string, SavedLine> =>
  new Map(
    saved
      .filter(({ line }) => isPaidCharge(line) && line.key === chargeKey(line.storeTransactionId))
      // At an earlier instant only a copy of the transaction may be known.
      .flatMap((one) => [one.line.storeTransactionId, ...(one.line.aliases ?? [])].map((id) => [id, one] as const)),
  )

/** The price of a charge as its group: `9.99 EUR`. Null when the store did not tell it. */
export const pricePoint = (price: Money | null | undefined): string | null =>
  price ? `${toDecimal(price.amountMicros, 2)} ${price.currency}` : null
