import type { Money } from '../../base/lib/money'
import { dayOf } from '../../projects/exchange-rates/day'
import type { RateTable } from '../../projects/exchange-rates/rate-table'
import { isCharge } from './lines'
import type { TransactionKind } from './model'

/** What of a money line decides its amount in dollars. */
export interface DollarLine {
  key: string
  storeTransactionId: string
  kind: TransactionKind
  price: Money | null
  occurredAt: number
}

/**
 * The amounts of money lines in millionths of a dollar, by key; null = the amount or a rate is not known. The lines of a
 * charge are given together: the charge, its refunds, chargebacks and reversals.
 *
 * A charge has the rate of its UTC day, or of the nearest earlier day. What is given back of it has the same rate, and is
 * the difference of what was given back in all before and after it, each converted and rounded: of 9.99 EUR at 1.0852, which
 * are 10.841148 USD, 3.33 EUR given back are -3.613716 and the other 6.66 EUR -7.227432. So the sum of the lines is zero when
 * everything was given back, however often that was in parts.
 */
export function dollarsOf(lines: readonly DollarLine[], rates: RateTable): Map<string, number | null> {
  const dollars = new Map<string, number | null>()
  for (const own of Map.groupBy(lines, ({ storeTransactionId }) => storeTransactionId).values())
    for (const [key, usdMicros] of dollarsOfCharge(own, rates)) dollars.set(key, usdMicros)
  return dollars
}

function dollarsOfCharge(lines: readonly DollarLine[], rates: RateTable): [key: string, usdMicros: number | null][] {
  const charge = lines.find(isCharge)
  const returned = new Map<string, number>()
  return lines.toSorted(inOrder).map((line) => {
    if (!line.price) return [line.key, null]
    const { amountMicros, currency } = line.price
    const day = dayOf((charge ?? line).occurredAt)
    if (isCharge(line)) return [line.key, rates.toUsd(amountMicros, currency, day)]
    const before = returned.get(currency) ?? 0
    returned.set(currency, before - amountMicros)
    return [line.key, difference(rates, currency, day, before - amountMicros, before)]
  })
}

/** The charge comes first, also where the store dates a refund before it. */
const inOrder = (a: DollarLine, b: DollarLine): number =>
  Number(isCharge(b)) - Number(isCharge(a)) || a.occurredAt - b.occurredAt || (a.key < b.key ? -1 : 1)

function difference(rates: RateTable, currency: string, day: number, before: number, after: number): number | null {
  const [earlier, later] = [rates.toUsd(before, currency, day), rates.toUsd(after, currency, day)]
  return earlier === null || later === null ? null : later - earlier
}
