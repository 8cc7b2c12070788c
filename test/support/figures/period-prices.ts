import type { Observation, Report, TransactionPart } from '../../../src/stores/observation'
import { type Rate, utcDayOf } from './history'
import { isCharged } from './lines'
import { usdOf } from './money'
import { placedOf } from './state'
import { compareObservations, isReport, type Transaction } from './transactions'

/** What a period costs from an instant on, until the next price of its transaction or the next transaction. */
export interface Price {
  transactionId: string
  from: number
  /** Told with the charge itself, so it counts as soon as the charge does. */
  isOfCharge: boolean
  micros: bigint
  currency: string
}

/** All prices of a purchase one after another. What was not charged has none. */
export function pricesOf(known: readonly Observation[], transactions: readonly Transaction[]): Price[] {
  const words = placedOf(known.filter(isReport).toSorted(compareObservations))
  const prices: Price[] = []
  for (const [index, transaction] of transactions.entries()) {
    if (!isCharged(transaction)) continue
    const { transactionId, purchaseDate } = transaction.part
    const next = transactions[index + 1]?.part.purchaseDate
    const add = (from: number, isOfCharge: boolean, price: Transaction['price']) => {
      if (price) prices.push({ transactionId, from, isOfCharge, ...price })
    }
    add(purchaseDate, true, transaction.price)
    for (const [place, { report, current }] of words.entries()) {
      const from = Math.max(report.eventAt, purchaseDate)
      if (current?.transactionId !== transactionId || (next !== undefined && from >= next)) continue
      const told = toldUntil(words.slice(0, place + 1), transaction.part)
      add(from, false, told ?? transaction.price)
    }
  }
  return prices
}

/** The price of the next period as told last, when this period has it too: same product, full price, agreed to. */
function toldUntil(
  words: readonly { report: Report; current: TransactionPart | undefined }[],
  { transactionId, storeProductId, isIntroOffer, offerId }: TransactionPart,
): Transaction['price'] {
  const next = words.findLast(({ report, current }) => current?.transactionId === transactionId && report.renewal?.next)
    ?.report.renewal?.next
  const consent = words.findLast(({ report }) => report.renewal?.priceConsent !== undefined)?.report.renewal
  if (!next || next.storeProductId !== storeProductId || consent?.priceConsent === 'PENDING') return null
  if (next.offer !== (isIntroOffer ? 'INTRO' : offerId)) return null
  return { micros: BigInt(next.price.amountMicros), currency: next.price.currency }
}

/**
 * The dollars that a period of a transaction costs at an instant, by the rate of the day since which the purchase has
 * cost the same; null = there is no rate, 0 = no price is known.
 */
export function dollarsOf(
  rates: readonly Rate[],
  prices: readonly Price[],
  transactionId: string,
  at: number,
): bigint | null {
  const begun = prices.filter((one) => one.from <= at || (one.isOfCharge && one.transactionId === transactionId))
  const last = begun.findLastIndex((one) => one.transactionId === transactionId)
  const price = begun[last]
  if (!price) return 0n
  const other = begun.slice(0, last).findLastIndex((one) => !isSame(one, price))
  const first = begun[other + 1] ?? price
  return usdOf(rates, first.currency, utcDayOf(first.from), first.micros)
}

const isSame = (a: Price, b: Price): boolean => a.micros === b.micros && a.currency === b.currency
