import type { Observation, ProductType, RenewalPart } from '../../stores/observation'
import { readHistory, standingMarkers, type TransactionRecord, type Word } from './history'
import type { PurchaseFold } from './model'

/**
 * The state of a purchase, computed from its observations (wire 4.2); null while none of them has a transaction. Order
 * and repetition of the observations do not matter.
 */
export function foldObservations(observations: readonly Observation[], productType: ProductType): PurchaseFold | null {
  const { transactions, words, newestEventAt } = readHistory(observations)
  const current = transactions.at(-1)
  if (!current) return null
  return {
    productType,
    ...transactionMembers(current),
    ...standingMarkers(current.part, current.markers),
    ...renewalMembers(words, productType, current),
    ...troubleMembers(words, current),
    storeEventAt: newestEventAt,
  }
}

/**
 * The purchase at an earlier instant: the fold of the observations that are dated up to then, of those that are known
 * now.
 */
export const foldAsOf = (observations: readonly Observation[], productType: ProductType, at: number) =>
  foldObservations(
    observations.filter(({ eventAt }) => eventAt <= at),
    productType,
  )

function transactionMembers({ part, expiresAt, expiryReason }: TransactionRecord) {
  const { transactionId: storeTransactionId, reason: _reason, chargedStoreProductId: _charged, ...members } = part
  return { ...members, storeTransactionId, expiresAt, expiryReason }
}

type Renewal = Pick<PurchaseFold, 'autoRenews' | 'cancelledAt' | 'pendingStoreProductId' | 'priceConsent'>

/** Auto-renew, next product and consent. They concern the chain, so they stay when a new transaction begins. */
function renewalMembers(words: readonly Word[], productType: ProductType, { part }: TransactionRecord): Renewal {
  const isSubscription = productType === 'SUBSCRIPTION'
  // A subscription renews unless a store said that it does not.
  let members: Renewal = {
    autoRenews: isSubscription,
    cancelledAt: null,
    pendingStoreProductId: null,
    priceConsent: null,
  }
  for (const { report } of words) {
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

const readRenewal = (members: Renewal, renewal: RenewalPart): Renewal => ({
  ...members,
  autoRenews: renewal.autoRenews ?? members.autoRenews,
  pendingStoreProductId: told(renewal.pendingStoreProductId, members.pendingStoreProductId),
  priceConsent: told(renewal.priceConsent, members.priceConsent),
})

function readCancellation({ cancelledAt }: Renewal, { autoRenews }: RenewalPart, eventAt: number): number | null {
  if (autoRenews === undefined) return cancelledAt
  return autoRenews ? null : (cancelledAt ?? eventAt)
}

type Trouble = Pick<PurchaseFold, 'billingTrouble' | 'gracePeriodExpiresAt' | 'pausedAt' | 'autoResumeAt'>

const NO_TROUBLE: Trouble = { billingTrouble: 'NONE', gracePeriodExpiresAt: null, pausedAt: null, autoResumeAt: null }

/** A billing problem and a pause count only if they were reported while the present transaction was the current one. */
function troubleMembers(words: readonly Word[], { part }: TransactionRecord): Trouble {
  let members = NO_TROUBLE
  for (const { report, currentId } of words) {
    if (currentId !== part.transactionId) continue
    if (report.renewal) members = { ...readTrouble(members, report.renewal), ...readPause(members, report.renewal) }
    const isAboutCurrent = (report.transaction?.transactionId ?? currentId) === currentId
    if (isAboutCurrent && report.ended && report.ended.at <= report.eventAt) members = NO_TROUBLE
  }
  return members
}

function readTrouble(members: Trouble, { billingTrouble, gracePeriodExpiresAt }: RenewalPart) {
  const trouble = billingTrouble ?? members.billingTrouble
  if (trouble === 'NONE') return { billingTrouble: trouble, gracePeriodExpiresAt: null }
  // A store that retries the charge and does not mention a grace period has ended it.
  const isGraceOver = billingTrouble === 'RETRY' && gracePeriodExpiresAt === undefined
  const grace = isGraceOver ? null : told(gracePeriodExpiresAt, members.gracePeriodExpiresAt)
  return { billingTrouble: trouble, gracePeriodExpiresAt: grace }
}

function readPause(members: Trouble, { pausedAt, autoResumeAt }: RenewalPart) {
  if (pausedAt === null) return { pausedAt, autoResumeAt: null }
  return { pausedAt: told(pausedAt, members.pausedAt), autoResumeAt: told(autoResumeAt, members.autoResumeAt) }
}

/** An absent member was not mentioned and keeps its value; null is a value. */
const told = <Member>(word: Member | undefined, before: Member): Member => (word === undefined ? before : word)
