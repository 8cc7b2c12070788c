import type { SavedLine } from '../../people/purchases/line-rows'
import { isReturn } from '../../people/purchases/lines'
import type { TransactionLine } from '../../people/purchases/model'
import type { Store } from '../../stores/observation'
import { millionthsOf } from './monthly'

/** Fractions that a store keeps, in millionths; null = its usual ones. */
export type Commission = Readonly<Partial<Record<Store, number | null>>>

/** In millionths: what the app stores keep in the first year of a subscription, and afterwards (wire 5.11). */
const FIRST_YEAR = 300_000
const LATER = 150_000

/**
 * What the store keeps of each line, by its key; USD micros. Returned money gives it back: of all that was returned up
 * to a line, less what was given back before, so that a complete refund gives back all of it.
 */
export function commissionOf(
  saved: readonly SavedLine[],
  commission: Commission,
  paidSince: number | null,
): ReadonlyMap<string, number> {
  const shares = new Map<string, number>()
  const laterFrom = paidSince === null ? Number.POSITIVE_INFINITY : yearAfter(paidSince)
  for (const own of Map.groupBy(saved, ({ line }) => line.storeTransactionId).values())
    for (const [key, micros] of sharesOfCharge(own, commission, laterFrom)) shares.set(key, micros)
  return shares
}

function sharesOfCharge(
  own: readonly SavedLine[],
  commission: Commission,
  laterFrom: number,
): [key: string, micros: number][] {
  const [charge] = own.filter(({ line }) => isMoneyIn(line))
  if (!charge) return []
  const rate = rateOf(charge, commission, laterFrom)
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

function rateOf({ line, row: { store } }: SavedLine, commission: Commission, laterFrom: number): number {
  const own = commission[store]
  if (own !== undefined && own !== null) return own
  if (store !== 'IOS_STORE' && store !== 'ANDROID_STORE') return 0
  return line.occurredAt < laterFrom ? FIRST_YEAR : LATER
}

/** A calendar year in UTC; the 29th of February ends with the 28th. */
const yearAfter = (instant: number): number =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('UTC').add({ years: 1 }).epochMilliseconds

/** The rates that a project has set, of fractions between 0 and 1. */
export const readCommission = (config: Readonly<Record<string, unknown>>): Commission =>
  Object.fromEntries(
    Object.entries(config).flatMap(([store, rate]) =>
      typeof rate === 'number' ? [[store, Math.round(rate * 1_000_000)]] : [],
    ),
  )
