import { canonicalJson } from '../../base/lib/hash'
import type { Money } from '../../base/lib/money'
import type { Adjustment, ExpiryReason, Marker, Observation, Report, TransactionPart } from '../../stores/observation'
import { joinCopies } from './copies'
import { settleImported } from './imported'
import type { PurchaseFold } from './model'
import { comparePurchases, compareText, type KnownPart, newerOf, newestOf, setPart } from './parts'
import { type SignedWord, signedWords, withReversals } from './reversals'

/** One store transaction, computed from all its observations. */
export interface TransactionRecord {
  /** Its newest report, with the newest price that any report gave. */
  part: TransactionPart
  /** The ids of its copies. */
  aliases: readonly string[]
  /** End of the period after extensions and early ends; null = never ends. */
  expiresAt: number | null
  /** Why the store ended it; null when the store did not report an end. */
  expiryReason: ExpiryReason | null
  /** In the order of folding. */
  markers: Marker[]
  /** Nothing was charged for it: an imported row that names no transaction replaces it, or no period was sold. */
  isStandIn: boolean
}

/** A report, with the transaction that was current after it. */
export interface PlacedReport {
  report: Report
  currentId: string | null
}

/** The observations of a purchase, ordered and grouped by transaction. */
export interface History {
  /** Ascending by purchase date, so the last one is the current one. */
  transactions: TransactionRecord[]
  adjustments: AdjustmentRecord[]
  reports: PlacedReport[]
  newestEventAt: number
}

/** A charge within a period, with what was returned of it. It decides nothing else of the purchase. */
export interface AdjustmentRecord {
  part: Adjustment
  /** In the order of folding. */
  markers: Marker[]
}

export type StandingMarkers = Pick<PurchaseFold, 'refundedAt' | 'revokedAt'>

const NO_WORDS: ReadonlyMap<string, readonly SignedWord[]> = new Map()

const RANK = { REPORT: 0, REVERSAL: 1, REFUND: 2, REVOCATION: 3 } as const

/** Depends only on the set of observations: order and repetition do not change the result. */
export function readHistory(observations: readonly Observation[]): History {
  const { observations: joined, aliases } = joinCopies(observations)
  const ordered = settleImported(inOrder(joined))
  const { parts, reports } = readReports(ordered)
  const reportsOf = Map.groupBy(reports, subjectOf)
  const markersOf = Map.groupBy(ordered.filter(isMarker), (marker) => marker.transactionId)
  const words = markersOf.size === 0 ? NO_WORDS : signedWords(ordered)
  const adjustments = readAdjustments(ordered, parts, markersOf)
  const transactions = parts.sort(comparePurchases).map((part) => {
    const { transactionId } = part
    const own = reportsOf.get(transactionId) ?? []
    const isStandIn = part.isUncharged === true || own.some(({ report }) => report.imported === 'PURCHASE')
    const isAdjusted = adjustments.some((adjustment) => adjustment.part.transactionId === transactionId)
    const told = withReversals(markersOf.get(transactionId) ?? [], words.get(transactionId) ?? [])
    // Nothing of the access was charged: what is refunded is the charge within the period.
    const markers = isAdjusted ? told.filter((marker) => marker.kind !== 'REFUND' || marker.endsAccess) : told
    return { part, aliases: aliases.get(transactionId) ?? [], markers, isStandIn, ...readEnd(own) }
  })
  return { transactions, adjustments, reports, newestEventAt: ordered.at(-1)?.eventAt ?? 0 }
}

/** What is known as the charge of a period is no adjustment as well. The newest report of each counts. */
function readAdjustments(
  ordered: readonly Observation[],
  transactions: readonly TransactionPart[],
  markersOf: ReadonlyMap<string, Marker[]>,
): AdjustmentRecord[] {
  const parts = new Map<string, Adjustment>()
  for (const one of ordered)
    if (one.kind === 'REPORT' && one.adjustment) parts.set(one.adjustment.transactionId, one.adjustment)
  if (parts.size === 0) return []
  const charged = transactions.filter(({ isUncharged }) => !isUncharged)
  const periods = new Set(charged.map(({ transactionId }) => transactionId))
  return [...parts.values()]
    .filter(({ transactionId }) => !periods.has(transactionId))
    .map((part) => ({ part, markers: markersOf.get(part.transactionId) ?? [] }))
}

/** Ascending by event time, rank and id. Of several with the same kind and id only the first one counts. */
export function inOrder(observations: readonly Observation[]): Observation[] {
  const sorted = isInOrder(observations) ? [...observations] : observations.toSorted(compareObservations)
  const seen = new Set<string>()
  for (const { id } of sorted) seen.add(id)
  if (seen.size === sorted.length) return sorted
  seen.clear()
  return sorted.filter(({ kind, id }) => {
    const name = `${kind}:${id}`
    const isNew = !seen.has(name)
    seen.add(name)
    return isNew
  })
}

function isInOrder(observations: readonly Observation[]): boolean {
  for (let index = 1; index < observations.length; index++) {
    const [before, after] = [observations[index - 1], observations[index]]
    if (before && after && compareObservations(before, after) > 0) return false
  }
  return true
}

/**
 * The newest refund and the newest revocation that are in force after all reversals. Partial refunds remove the access
 * once they add up to the whole price, and give it back when one of them is reversed. A refund of the whole price needs
 * a reversal of the whole price.
 */
export function standingMarkers({ price }: TransactionPart, markers: readonly Marker[]): StandingMarkers {
  let state: Returned = NOTHING_RETURNED
  for (const marker of markers) state = afterMarker(state, marker, price)
  return { refundedAt: state.refundedAt ?? state.partsCameToAllAt, revokedAt: state.revokedAt }
}

interface Returned extends StandingMarkers {
  /** Micros refunded in parts; the next member is when they reached the whole price. */
  parts: number
  partsCameToAllAt: number | null
}

const NOTHING_RETURNED: Returned = { refundedAt: null, revokedAt: null, parts: 0, partsCameToAllAt: null }

function afterMarker(before: Returned, marker: Marker, price: Money | null): Returned {
  const { kind, eventAt } = marker
  if (kind === 'REVOCATION') return { ...before, revokedAt: eventAt }
  const part = marker.endsAccess ? null : partOf(marker, price)
  if (part === null) return kind === 'REVERSAL' ? NOTHING_RETURNED : { ...before, refundedAt: eventAt }
  const parts = Math.max(0, before.parts + (kind === 'REVERSAL' ? -part : part))
  const isAll = price !== null && parts >= price.amountMicros
  return { ...before, parts, partsCameToAllAt: isAll ? (before.partsCameToAllAt ?? eventAt) : null }
}

/** Micros of a marker about a part of the price; null when it is about the whole price or the part is unknown. */
function partOf({ amount }: Marker, price: Money | null): number | null {
  const isPart = amount && price && amount.currency === price.currency && amount.amountMicros < price.amountMicros
  return isPart ? amount.amountMicros : null
}

const isMarker = (observation: Observation): observation is Marker => observation.kind !== 'REPORT'

function compareObservations(a: Observation, b: Observation): number {
  // The text decides only between two observations with the same id, kind and time.
  return (
    a.eventAt - b.eventAt ||
    RANK[a.kind] - RANK[b.kind] ||
    compareText(a.id, b.id) ||
    compareText(canonicalJson(a), canonicalJson(b))
  )
}

function readReports(ordered: readonly Observation[]): {
  parts: TransactionPart[]
  reports: PlacedReport[]
} {
  const parts = new Map<string, KnownPart>()
  const reports: PlacedReport[] = []
  let newest: KnownPart | null = null
  for (const report of ordered) {
    if (report.kind !== 'REPORT') continue
    const count = parts.size
    setPart(parts, report)
    // Only a report about a transaction that was known before can make another one the newest.
    if (parts.size > count) newest = newerOf(newest, parts.get(report.transaction?.transactionId ?? ''))
    else if (report.transaction) newest = newestOf(parts.values())
    reports.push({ report, currentId: newest?.part.transactionId ?? null })
  }
  return { parts: [...parts.values()].map(({ part }) => part), reports }
}

/** The transaction that the dates of a report are about: the one in the report, else the one that was current. */
const subjectOf = ({ report, currentId }: PlacedReport): string | null => report.transaction?.transactionId ?? currentId

type End = NonNullable<Report['ended']>

function readEnd(reports: readonly PlacedReport[]): { expiresAt: number | null; expiryReason: ExpiryReason | null } {
  let expiresAt: number | null = null
  let ended: End | null = null
  for (const { report } of reports) {
    if (report.transaction && !isSilentOnEnd(report)) expiresAt = report.transaction.expiresAt
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

/** Neither a row without an end nor the store of a subscription that never renews says that the period has none. */
const isSilentOnEnd = ({ imported, transaction }: Report): boolean =>
  transaction?.expiresAt === null && (imported !== undefined || transaction.isNonRenewing === true)

/** A reported end stays. Of two reports about the same instant the newer one counts, unless it has no reason. */
function earlierEnd(before: End | null, reported: End): End {
  if (!before || reported.at < before.at) return reported
  return reported.at === before.at && reported.reason !== 'UNKNOWN' ? reported : before
}
