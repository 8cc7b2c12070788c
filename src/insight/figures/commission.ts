import { commissionRate } from '../../people/purchases/commission'
import type { SavedLine } from '../../people/purchases/line-rows'
import { isReturn } from '../../people/purchases/lines'
import type { TransactionLine } from '../../people/purchases/model'
import type { Commission } from '../../projects/connections/commission-rates'
import type { ProductType } from '../../stores/observation'
import { millionthsOf } from './monthly'

/** What of a purchase decides what the store keeps of its lines. */
interface ShareFacts {
  productType: ProductType
  commission: Commission
  /** Its first charge that was paid; null = none was. */
  paidSince: number | null
}

/**
 * What the store keeps of each line, by its key; USD micros. Returned money gives it back: of all that was returned up
 * to a line, less what was given back before, so that a complete refund gives back all of it.
 */
export function commissionOf(saved: readonly SavedLine[], about: ShareFacts): ReadonlyMap<string, number> {
  const shares = new Map<string, number>()
  for (const own of Map.groupBy(saved, ({ line }) => line.storeTransactionId).values())
    for (const [key, micros] of sharesOfCharge(own, about)) shares.set(key, micros)
  return shares
}

function sharesOfCharge(
  own: readonly SavedLine[],
  { commission, ...about }: ShareFacts,
): [key: string, micros: number][] {
  const [charge] = own.filter(({ line }) => isMoneyIn(line))
  if (!charge) return []
  const { line, row } = charge
  const rate = commissionRate({ ...about, store: row.store, chargedAt: line.occurredAt }, commission)
  let sum = 0
  return own.map(({ line, row }) => {
    const micros = row.usdMicros ?? 0
    if (isMoneyIn(line)) return [line.key, millionthsOf(micros, rate)]
    const before = millionthsOf(sum, rate)
    sum += micros
    return [line.key, millionthsOf(sum, rate) - before]
  })
}

const isMoneyIn = (line: TransactionLine): boolean => !isReturn(line) && line.kind !== 'REFUND_REVERSAL'
