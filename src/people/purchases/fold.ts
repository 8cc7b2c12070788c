import { isSameMoney } from '../../base/lib/money'
import type {
  Observation,
  PeriodPrice,
  PriceAfter,
  ProductType,
  RenewalPart,
  Report,
  TransactionPart,
} from '../../stores/observation'
import {
  type PlacedReport,
  readHistory,
  type StandingMarkers,
  standingMarkers,
  type TransactionRecord,
} from './history'
import { decisiveOnes } from './imported'
import type { PurchaseFold } from './model'
import { comparePurchases } from './parts'
import { priceMembers } from './price'

/**
 * The state of a purchase, computed from its observations (wire 4.2); null while none of them has a transaction. Order
 * and repetition of the observations do not matter.
 */
export function foldObservations(observations: readonly Observation[], productType: ProductType): PurchaseFold | null {
  const { transactions, reports, newestEventAt } = readHistory(decisiveOnes(observations))
  const current = transactions.at(-1)
  if (!current) return null
  const { part, aliases, markers, expiresAt } = current
  const renewal = renewalMembers(reports, productType, current)
  return {
    productType,
    ...transactionMembers(current),
    ...priceMembers(reports, part, { ...renewal, expiresAt }),
    ...(aliases.length > 0 && { aliases }),
    ...standingMarkers(part, markers),
    ...renewal,
    ...recurringMembers(reports, productType),
    ...problemMembers(reports, current),
    storeEventAt: newestEventAt,
  }
}

/**
 * What `foldObservations` makes of imported rows of different transactions, each with an id of the store, that say nothing
 * but what was bought. A long history has many such moments.
 */
export function foldRows(rows: readonly BareRow[], productType: ProductType): PurchaseFold | null {
  let current: TransactionPart | null = null
  let [firstPurchaseDate, newestEventAt] = [Number.POSITIVE_INFINITY, 0]
  for (const { transaction, eventAt } of rows) {
    if (!current || comparePurchases(current, transaction) < 0) current = transaction
    firstPurchaseDate = Math.min(firstPurchaseDate, transaction.originalPurchaseDate)
    newestEventAt = Math.max(newestEventAt, eventAt)
  }
  if (!current) return null
  const part = { ...current, originalPurchaseDate: firstPurchaseDate }
  return {
    productType,
    ...transactionMembers({ part, expiresAt: part.expiresAt, expiryReason: null }),
    ...NOTHING_RETURNED,
    ...renewalMembers([], productType, { part }),
    ...NO_PROBLEM,
    storeEventAt: newestEventAt,
  }
}

export type BareRow = Required<Pick<Report, 'transaction' | 'eventAt'>> & { transaction: TransactionPart }

const NOTHING_RETURNED: StandingMarkers = { refundedAt: null, revokedAt: null }

/**
 * The purchase at an earlier instant: the fold of the observations that are dated up to then, of those that are known
 * now.
 */
export const foldAsOf = (observations: readonly Observation[], productType: ProductType, at: number) =>
  foldObservations(
    observations.filter(({ eventAt }) => eventAt <= at),
    productType,
  )

function transactionMembers({
  part,
  expiresAt,
  expiryReason,
}: Pick<TransactionRecord, 'part' | 'expiresAt' | 'expiryReason'>) {
  // In one step: each rest of a pattern is a copy of all members.
  const {
    transactionId: storeTransactionId,
    reason: _reason,
    chargedStoreProductId: _charged,
    sale: _sale,
    isRevoked: _isRevoked,
    isNonRenewing: _isNonRenewing,
    isUncharged: _isUncharged,
    mayChangeProduct: _mayChange,
    ...members
  } = part
  return { ...members, storeTransactionId, expiresAt, expiryReason }
}

type Renewal = Pick<PurchaseFold, 'autoRenews' | 'cancelledAt' | 'pendingStoreProductId' | 'priceConsent'>

/** Auto-renew, next product and consent. They concern the chain, so they stay when a new transaction starts. */
function renewalMembers(
  reports: readonly PlacedReport[],
  productType: ProductType,
  { part }: Pick<TransactionRecord, 'part'>,
): Renewal {
  const isSubscription = productType === 'SUBSCRIPTION' && !part.isNonRenewing
  // A subscription renews unless a store reported that it does not.
  let members: Renewal = {
    autoRenews: isSubscription,
    cancelledAt: null,
    pendingStoreProductId: null,
    priceConsent: null,
  }
  for (const { report } of reports) {
    if (!report.renewal) continue
    members = {
      ...readRenewal(members, report.renewal),
      cancelledAt: readCancellation(members, report.renewal, report.eventAt),
    }
  }
  const isPending = members.pendingStoreProductId !== part.storeProductId
  return {
    ...members,
    cancelledAt: isSubscription ? members.cancelledAt : null,
    pendingStoreProductId: isPending ? members.pendingStoreProductId : null,
  }
}

type Price = Pick<PurchaseFold, 'recurring' | 'priceAfter'>

/**
 * The price of a period, and since when it applies: a price that comes with a new period since the start of that, and
 * one that changes within a period since the report.
 */
function recurringMembers(reports: readonly PlacedReport[], productType: ProductType): Price {
  if (productType !== 'SUBSCRIPTION') return {}
  let [recurring, priceAfter]: [PurchaseFold['recurring'] | null, PriceAfter | null] = [null, null]
  let saidAt = Number.NEGATIVE_INFINITY
  for (const { report } of reports) {
    const { renewal, transaction, eventAt } = report
    if (renewal?.priceAfter !== undefined) priceAfter = renewal.priceAfter
    if (renewal?.recurring === undefined) continue
    const { purchaseDate = saidAt } = transaction ?? {}
    const since = purchaseDate > saidAt ? purchaseDate : eventAt
    recurring = isSamePrice(recurring, renewal.recurring)
      ? recurring
      : renewal.recurring && { ...renewal.recurring, since }
    saidAt = eventAt
  }
  return { ...(recurring && { recurring }), ...(priceAfter && { priceAfter }) }
}

const isSamePrice = (a: PeriodPrice | null | undefined, b: PeriodPrice | null): boolean =>
  isSameMoney(a?.price, b?.price) && a?.period === b?.period

const readRenewal = (members: Renewal, renewal: RenewalPart): Renewal => ({
  ...members,
  autoRenews: renewal.autoRenews ?? members.autoRenews,
  pendingStoreProductId: reportedOr(renewal.pendingStoreProductId, members.pendingStoreProductId),
  priceConsent: reportedOr(renewal.priceConsent, members.priceConsent),
})

function readCancellation({ cancelledAt }: Renewal, renewal: RenewalPart, eventAt: number): number | null {
  if (renewal.autoRenews === undefined) return cancelledAt
  return renewal.autoRenews ? null : (cancelledAt ?? renewal.cancelledAt ?? eventAt)
}

type BillingProblem = Pick<PurchaseFold, 'billingTrouble' | 'gracePeriodExpiresAt' | 'pausedAt' | 'autoResumeAt'>

const NO_PROBLEM: BillingProblem = {
  billingTrouble: 'NONE',
  gracePeriodExpiresAt: null,
  pausedAt: null,
  autoResumeAt: null,
}

/** A billing problem and a pause count only if they were reported while the present transaction was the current one. */
function problemMembers(reports: readonly PlacedReport[], { part }: TransactionRecord): BillingProblem {
  let members = NO_PROBLEM
  for (const { report, currentId } of reports) {
    if (currentId !== part.transactionId) continue
    if (report.renewal) members = { ...readProblem(members, report.renewal), ...readPause(members, report.renewal) }
    const isAboutCurrent = (report.transaction?.transactionId ?? currentId) === currentId
    if (isAboutCurrent && report.ended && report.ended.at <= report.eventAt) members = NO_PROBLEM
  }
  return members
}

function readProblem(members: BillingProblem, { billingTrouble, gracePeriodExpiresAt }: RenewalPart) {
  const state = billingTrouble ?? members.billingTrouble
  if (state === 'NONE') return { billingTrouble: state, gracePeriodExpiresAt: null }
  // A store that retries the charge and does not mention a grace period has ended it.
  const isGraceOver = billingTrouble === 'RETRY' && gracePeriodExpiresAt === undefined
  const grace = isGraceOver ? null : reportedOr(gracePeriodExpiresAt, members.gracePeriodExpiresAt)
  return { billingTrouble: state, gracePeriodExpiresAt: grace }
}

function readPause(members: BillingProblem, { pausedAt, autoResumeAt }: RenewalPart) {
  if (pausedAt === null) return { pausedAt, autoResumeAt: null }
  return {
    pausedAt: reportedOr(pausedAt, members.pausedAt),
    autoResumeAt: reportedOr(autoResumeAt, members.autoResumeAt),
  }
}

/** An absent member was not mentioned and keeps its value; null is a value. */
const reportedOr = <Member>(reported: Member | undefined, before: Member): Member =>
  reported === undefined ? before : reported
