import type { ExpiryReason, Marker, Observation, Report, TransactionPart } from '../../../src/stores/observation'
import { DAY_MS } from './history'
import { compareObservations, comparePeriods, isMarker, isReport, type Transaction } from './transactions'

export type Status =
  | 'TRIAL'
  | 'ACTIVE'
  | 'GRACE_PERIOD'
  | 'BILLING_RETRY'
  | 'PAUSED'
  | 'EXPIRED'
  | 'REFUNDED'
  | 'REVOKED'

/** A purchase at an instant. */
export interface State {
  status: Status
  /** The period that it is in, as its newest report up to then says. */
  current: TransactionPart
  /** Whether it renews by itself at its end. */
  renews: boolean
  /** Why it ended, or would end by what was told so far. */
  reason: ExpiryReason
}

const RETRY_MS = 60 * DAY_MS

/** The state at an instant (wire specification 4.2); null = nothing was bought yet. */
export function stateAt(known: readonly Observation[], transactions: readonly Transaction[], at: number): State | null {
  const told = reportsUpTo(known, at)
  const placed = placedOf(told)
  const current = placed.at(-1)?.current
  if (!current) return null
  const markers = known.filter(isMarker).filter(({ eventAt }) => eventAt <= at)
  const about = placed.filter(({ report, current: then }) => {
    return (report.transaction ?? then)?.transactionId === current.transactionId
  })
  const during = placed.filter(({ current: then }) => then?.transactionId === current.transactionId)
  const problem = problemOf(
    during.map(({ report }) => report),
    current,
  )
  const subject = about.map(({ report }) => report)
  const status = statusOf({
    at,
    current,
    taken: takenBack(
      markers.filter(({ transactionId }) => transactionId === current.transactionId).sort(compareObservations),
      transactions.find(({ part }) => part.transactionId === current.transactionId)?.price ?? null,
    ),
    end: endOf(subject),
    problem,
    newest: Math.max(...told.map(({ eventAt }) => eventAt), ...markers.map(({ eventAt }) => eventAt)),
  })
  const renews = told.findLast(({ renewal }) => renewal?.autoRenews !== undefined)?.renewal?.autoRenews ?? true
  return { status, current, renews, reason: reasonOf(told, subject, problem, renews) }
}

/** What the store reported of the end, else what its words before make likely. */
function reasonOf(
  told: readonly Report[],
  about: readonly Report[],
  { trouble }: Problem,
  renews: boolean,
): ExpiryReason {
  const reported = toldReason(about)
  if (reported) return reported
  if (trouble !== 'NONE') return 'BILLING_ERROR'
  const consent = told.findLast(({ renewal }) => renewal?.priceConsent !== undefined)?.renewal?.priceConsent
  if (consent === 'DECLINED') return 'PRICE_INCREASE'
  return renews ? 'UNKNOWN' : 'UNSUBSCRIBED'
}

/** The reason of the earliest end; of one instant the newest that is a reason. A later extension undoes an end. */
function toldReason(reports: readonly Report[]): ExpiryReason | null {
  let end: { at: number; reason: ExpiryReason } | null = null
  for (const { ended, extendedTo } of reports) {
    const isEarlier = ended && (end === null || ended.at < end.at)
    const isBetter = ended && end?.at === ended.at && ended.reason !== 'UNKNOWN'
    if (isEarlier || isBetter) end = ended
    if (end && extendedTo !== undefined && extendedTo > end.at) end = null
  }
  return end?.reason ?? null
}

/**
 * What had happened by then. A report that came later proves a charge from before, but says nothing else about that
 * time: of it only the transaction counts, dated when it was bought.
 */
function reportsUpTo(known: readonly Observation[], at: number): Report[] {
  const counted = known.filter(isReport).flatMap((report): Report[] => {
    const { kind, id, transaction, eventAt } = report
    if (eventAt <= at) return [report]
    if (!transaction || transaction.purchaseDate > at) return []
    return [{ kind, id, eventAt: transaction.purchaseDate, transaction }]
  })
  return counted.sort(compareObservations)
}

/** Each report, with the transaction that was bought last, of those told until then; each by its newest report. */
export function placedOf(reports: readonly Report[]): { report: Report; current: TransactionPart | undefined }[] {
  const newest = new Map<string, TransactionPart>()
  return reports.map((report) => {
    if (report.transaction) newest.set(report.transaction.transactionId, report.transaction)
    return { report, current: [...newest.values()].sort(comparePeriods).at(-1) }
  })
}

/** When the period ends: as told last, moved by extensions, and not after an end that the store reported. */
function endOf(reports: readonly Report[]): number | null {
  let end: number | null = null
  let reportedEnd: number | null = null
  for (const { transaction, ended, extendedTo } of reports) {
    if (transaction) end = transaction.expiresAt
    if (ended && (reportedEnd === null || ended.at < reportedEnd)) reportedEnd = ended.at
    if (extendedTo === undefined) continue
    if (end !== null && extendedTo > end) end = extendedTo
    if (reportedEnd !== null && extendedTo > reportedEnd) reportedEnd = null
  }
  if (reportedEnd === null) return end
  return end === null ? reportedEnd : Math.min(end, reportedEnd)
}

interface Problem {
  trouble: 'NONE' | 'GRACE' | 'RETRY'
  graceEnd: number | null
  pausedAt: number | null
}

const FINE: Problem = { trouble: 'NONE', graceEnd: null, pausedAt: null }

/** Billing trouble and pause, by the reports that came while the present transaction was the current one. */
function problemOf(reports: readonly Report[], current: TransactionPart): Problem {
  let problem = FINE
  for (const { transaction, renewal, ended, eventAt } of reports) {
    if (renewal) {
      const { billingTrouble, gracePeriodExpiresAt, pausedAt } = renewal
      const trouble = billingTrouble ?? problem.trouble
      // A store that says RETRY and nothing of a grace period has ended it.
      const untold = billingTrouble === 'RETRY' ? null : problem.graceEnd
      const graceEnd = gracePeriodExpiresAt === undefined ? untold : gracePeriodExpiresAt
      problem = {
        trouble,
        graceEnd: trouble === 'NONE' ? null : graceEnd,
        pausedAt: pausedAt === undefined ? problem.pausedAt : pausedAt,
      }
    }
    const isAboutCurrent = !transaction || transaction.transactionId === current.transactionId
    if (ended && isAboutCurrent && ended.at <= eventAt) problem = FINE
  }
  return problem
}

interface Taken {
  refundedAt: number | null
  revokedAt: number | null
}

/**
 * The refund and the revocation that stand. A refund of a part stands once the parts have come to the whole price. A
 * reversal of the whole undoes everything before it; a reversal of a part gives back that much of the parts.
 */
function takenBack(markers: readonly Marker[], price: Transaction['price']): Taken {
  let [whole, revokedAt, byParts]: (number | null)[] = [null, null, null]
  let parts = 0n
  for (const { kind, eventAt, amount } of markers) {
    const micros = amount && price && amount.currency === price.currency ? BigInt(amount.amountMicros) : null
    const isPart = micros !== null && price !== null && micros < price.micros
    if (kind === 'REVOCATION') revokedAt = eventAt
    else if (!isPart && kind === 'REFUND') whole = eventAt
    else if (!isPart) [whole, revokedAt, byParts, parts] = [null, null, null, 0n]
    else {
      parts += kind === 'REFUND' ? micros : -micros
      if (parts < 0n) parts = 0n
      byParts = parts >= price.micros ? (byParts ?? eventAt) : null
    }
  }
  return { refundedAt: whole ?? byParts ?? null, revokedAt: revokedAt ?? null }
}

interface Facts {
  at: number
  current: TransactionPart
  taken: Taken
  /** End of the period; null = it never ends. */
  end: number | null
  problem: Problem
  /** The time of the newest word of the store, of any kind. */
  newest: number
}

/** The first line of the table that holds. */
function statusOf({ at, current, taken, end, problem, newest }: Facts): Status {
  const { refundedAt, revokedAt } = taken
  const { trouble, graceEnd, pausedAt } = problem
  if (revokedAt !== null && (refundedAt === null || revokedAt >= refundedAt)) return 'REVOKED'
  if (refundedAt !== null) return 'REFUNDED'
  if (pausedAt !== null && at >= pausedAt) return 'PAUSED'
  if (trouble !== 'NONE' && graceEnd !== null && at < graceEnd) return 'GRACE_PERIOD'
  if (trouble !== 'NONE' && end !== null && at >= end) {
    const limit = end + RETRY_MS
    const lastTry = newest < limit ? limit : newest + RETRY_MS
    return at < lastTry ? 'BILLING_RETRY' : 'EXPIRED'
  }
  if (end !== null && at >= Math.max(end, graceEnd ?? end)) return 'EXPIRED'
  return current.isTrial ? 'TRIAL' : 'ACTIVE'
}

/** Every instant at which the state can change. Between two of them it stays. */
export function instantsOf(known: readonly Observation[]): number[] {
  const words = known.flatMap((one) => [
    one.eventAt,
    ...(isReport(one) && one.transaction ? [one.transaction.purchaseDate] : []),
  ])
  const dates = known
    .filter(isReport)
    .flatMap(({ transaction, renewal, ended, extendedTo }) => [
      transaction?.expiresAt,
      renewal?.gracePeriodExpiresAt,
      renewal?.pausedAt,
      ended?.at,
      extendedTo,
    ])
  const all = [...words, ...dates.filter((date) => typeof date === 'number')]
  return [...new Set([...all, ...all.map((instant) => instant + RETRY_MS)])].sort((a, b) => a - b)
}
