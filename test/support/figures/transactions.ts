import type { Marker, Observation, Report, TransactionPart } from '../../../src/stores/observation'
import { compareText } from './history'

/** One charge or free period of a purchase, by its newest report. */
export interface Transaction {
  part: TransactionPart
  /** The newest price that was told; null = none ever was. */
  price: { micros: bigint; currency: string } | null
  /** What returned money of it or took rights, and what undid that, in order. */
  markers: Marker[]
}

const RANKS = { REPORT: 0, REVERSAL: 1, REFUND: 2, REVOCATION: 3 }

/** By time, then reports before reversals before refunds before revocations, then by id. */
export const compareObservations = (a: Observation, b: Observation): number =>
  a.eventAt - b.eventAt || RANKS[a.kind] - RANKS[b.kind] || compareText(a.id, b.id)

export const isMarker = (observation: Observation): observation is Marker => observation.kind !== 'REPORT'

export const isReport = (observation: Observation): observation is Report => observation.kind === 'REPORT'

/** Later means bought later; of two bought at one instant the greater id. Numbers come before other ids. */
export function comparePeriods(a: TransactionPart, b: TransactionPart): number {
  if (a.purchaseDate !== b.purchaseDate) return a.purchaseDate - b.purchaseDate
  const numbers = [a, b].map(({ transactionId }) => (/^\d+$/.test(transactionId) ? BigInt(transactionId) : null))
  const [first = null, second = null] = numbers
  if (first !== null && second !== null && first !== second) return first < second ? -1 : 1
  if ((first === null) !== (second === null)) return first === null ? 1 : -1
  return compareText(a.transactionId, b.transactionId)
}

/** All transactions of a purchase, the earliest one first. */
export function transactionsOf(known: readonly Observation[]): Transaction[] {
  const ordered = known.toSorted(compareObservations)
  const parts = ordered.filter(isReport).flatMap(({ transaction }) => transaction ?? [])
  const ids = [...new Set(parts.map(({ transactionId }) => transactionId))]
  const found = ids.flatMap((id) => {
    const told = parts.filter(({ transactionId }) => transactionId === id)
    const part = told.at(-1)
    const price = told.findLast((one) => one.price !== null)?.price
    if (!part) return []
    return {
      part,
      price: price ? { micros: BigInt(price.amountMicros), currency: price.currency } : null,
      markers: ordered.filter(isMarker).filter(({ transactionId }) => transactionId === id),
    }
  })
  return found.sort((a, b) => comparePeriods(a.part, b.part))
}
