import { canonicalJson } from '../../base/lib/hash'
import type { Money } from '../../base/lib/money'
import type { ExpiryReason, Marker, Observation, Report, TransactionPart } from '../../stores/observation'
import type { PurchaseFold } from './model'

/** One store transaction, as all observations together tell it. */
export interface TransactionRecord {
  /** Its newest report; the price is the newest one told. */
  part: TransactionPart
  /** End of the period after extensions and early ends; null = never ends. */
  expiresAt: number | null
  /** Why the store ended it; null when the store did not say that it ended. */
  expiryReason: ExpiryReason | null
  /** In folding order. */
  markers: Marker[]
}

/** A report, with the transaction that was the current one once it was told. */
export interface Word {
  report: Report
  currentId: string | null
}

/** A purchase's observations in order, sorted out by transaction. */
export interface History {
  /** Ascending by purchase date, so that the last one is the current. */
  transactions: TransactionRecord[]
  words: Word[]
  newestEventAt: number
}

export type StandingMarkers = Pick<PurchaseFold, 'refundedAt' | 'revokedAt'>

const RANK = { REPORT: 0, REVERSAL: 1, REFUND: 2, REVOCATION: 3 } as const

/** A function of the set of observations: neither their order nor repetition changes the answer. */
export function readHistory(observations: readonly Observation[]): History {
  const ordered = inOrder(observations)
  const { parts, words } = readReports(ordered)
  const wordsOf = Map.groupBy(words, subjectOf)
  const markersOf = Map.groupBy(ordered.filter(isMarker), (marker) => marker.transactionId)
  const transactions = [...parts.values()].sort(comparePurchases).map((part) => {
    const { transactionId } = part
    return { part, markers: markersOf.get(transactionId) ?? [], ...readEnd(wordsOf.get(transactionId) ?? []) }
  })
  return { transactions, words, newestEventAt: ordered.at(-1)?.eventAt ?? 0 }
}

/** Ascending (event time, rank, id). Of two with the same kind and id only the first counts. */
export function inOrder(observations: readonly Observation[]): Observation[] {
  const seen = new Set<string>()
  return observations.toSorted(compareObservations).filter(({ kind, id }) => {
    const name = `${kind}:${id}`
    const isNew = !seen.has(name)
    seen.add(name)
    return isNew
  })
}

/**
 * What stands of refunds and revocations after the last reversal: the newest of each. Parts take the rights as well once
 * they have come to all of the price, and give them again when some of it was taken back; of a refund of all at once
 * that takes a reversal of all.
 */
export function standingMarkers({ price }: TransactionPart, markers: readonly Marker[]): StandingMarkers {
  let state: Returned = NOTHING_RETURNED
  for (const marker of markers) state = afterMarker(state, marker, price)
  return { refundedAt: state.refundedAt ?? state.partsCameToAllAt, revokedAt: state.revokedAt }
}

interface Returned extends StandingMarkers {
  /** Micros given back in parts, and when they came to all of the price. */
  parts: number
  partsCameToAllAt: number | null
}

const NOTHING_RETURNED: Returned = { refundedAt: null, revokedAt: null, parts: 0, partsCameToAllAt: null }

function afterMarker(before: Returned, marker: Marker, price: Money | null): Returned {
  const { kind, eventAt } = marker
  if (kind === 'REVOCATION') return { ...before, revokedAt: eventAt }
  const part = partOf(marker, price)
  if (part === null) return kind === 'REVERSAL' ? NOTHING_RETURNED : { ...before, refundedAt: eventAt }
  const parts = Math.max(0, before.parts + (kind === 'REVERSAL' ? -part : part))
  const isAll = price !== null && parts >= price.amountMicros
  return { ...before, parts, partsCameToAllAt: isAll ? (before.partsCameToAllAt ?? eventAt) : null }
}

/** Micros of a marker that moves less than the price; null when it moves all, or nobody can tell. */
function partOf({ amount }: Marker, price: Money | null): number | null {
  const isPart = amount && price && amount.currency === price.currency && amount.amountMicros < price.amountMicros
  return isPart ? amount.amountMicros : null
}

const isMarker = (observation: Observation): observation is Marker => observation.kind !== 'REPORT'

function compareObservations(a: Observation, b: Observation): number {
  // The text decides only between two that claim the same id, kind and time.
  return (
    a.eventAt - b.eventAt ||
    RANK[a.kind] - RANK[b.kind] ||
    compareText(a.id, b.id) ||
    compareText(canonicalJson(a), canonicalJson(b))
  )
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

function readReports(ordered: readonly Observation[]): { parts: Map<string, TransactionPart>; words: Word[] } {
  const parts = new Map<string, TransactionPart>()
  const words: Word[] = []
  for (const report of ordered) {
    if (report.kind !== 'REPORT') continue
    if (report.transaction) retell(parts, report.transaction)
    words.push({ report, currentId: newestOf(parts)?.transactionId ?? null })
  }
  return { parts, words }
}

function retell(parts: Map<string, TransactionPart>, part: TransactionPart): void {
  const price = part.price ?? parts.get(part.transactionId)?.price ?? null
  parts.set(part.transactionId, { ...part, price })
}

function newestOf(parts: Map<string, TransactionPart>): TransactionPart | null {
  let newest: TransactionPart | null = null
  for (const part of parts.values()) if (!newest || comparePurchases(newest, part) < 0) newest = part
  return newest
}

const comparePurchases = (a: TransactionPart, b: TransactionPart): number =>
  a.purchaseDate - b.purchaseDate || compareTransactionIds(a.transactionId, b.transactionId)

/** Decimal numbers by value and before all other ids, which go by their text. */
function compareTransactionIds(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1
  if (!isNumberA) return compareText(a, b)
  const difference = BigInt(a) - BigInt(b)
  return difference === 0n ? compareText(a, b) : difference < 0n ? -1 : 1
}

/** What a report's dates are about: the transaction it carries, else the one that was current. */
const subjectOf = ({ report, currentId }: Word): string | null => report.transaction?.transactionId ?? currentId

type End = NonNullable<Report['ended']>

function readEnd(words: readonly Word[]): { expiresAt: number | null; expiryReason: ExpiryReason | null } {
  let expiresAt: number | null = null
  let ended: End | null = null
  for (const { report } of words) {
    if (report.transaction) expiresAt = report.transaction.expiresAt
    if (report.ended) ended = earlierEnd(ended, report.ended)
    const { extendedTo } = report
    if (extendedTo === undefined) continue
    if (expiresAt !== null) expiresAt = Math.max(expiresAt, extendedTo)
    if (ended && ended.at < extendedTo) ended = null
  }
  return {
    expiresAt: ended ? Math.min(expiresAt ?? ended.at, ended.at) : expiresAt,
    expiryReason: ended?.reason ?? null,
  }
}

/** An end once told stands; of two words about the same instant the newer one counts, unless it knows no reason. */
function earlierEnd(told: End | null, word: End): End {
  if (!told || word.at < told.at) return word
  return word.at === told.at && word.reason !== 'UNKNOWN' ? word : told
}
