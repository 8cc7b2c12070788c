import { isSameMoney, type Money } from '../../base/lib/money'
import type { SavedLine } from '../../people/purchases/line-rows'
import type { PriceTerm } from '../../people/purchases/price'

/** What a purchase costs for a period, and that in USD micros by the rate of the day since which it does. */
export interface PeriodValue {
  price: Money | null
  usdMicros: number | null
}

/** The price of a period that is known from its charge alone. */
export const chargedPrice = ({ line, row }: SavedLine): PeriodValue => ({ price: line.price, usdMicros: row.usdMicros })

/**
 * The price of the period of a charge at an instant. Its exchange rate is that of the day since which the price has been
 * the same, also when that day lies in an earlier period (purchases 4.2). Free periods of a trial and transactions without
 * a price are left out.
 */
export function periodPrice(
  terms: readonly PriceTerm[],
  charge: SavedLine,
  at: number,
  { charged, toUsd }: Known,
): PeriodValue {
  let last: PeriodValue | null = null
  let found = chargedPrice(charge)
  for (const { from, transactionId, told, isOfCharge } of terms) {
    const own = charged.get(transactionId)
    const isAsked = transactionId === charge.line.storeTransactionId
    const price = told ?? own?.line.price
    // A charge counts from the moment that it is known, also when its period starts later.
    if (!own || !price || (from > at && !(isAsked && isOfCharge))) continue
    if (!last || !isSameMoney(last.price, price))
      last = told ? { price, usdMicros: toUsd(told, from) } : chargedPrice(own)
    if (isAsked) found = last
  }
  return found
}

interface Known {
  charged: ReadonlyMap<string, SavedLine>
  toUsd: (price: Money, at: number) => number | null
}
