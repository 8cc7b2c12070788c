import type { Observation, ProductType, RenewalPart } from '../../stores/observation'
import { readHistory, standingMarkers, type TransactionRecord, type Word } from './history'
import type { PurchaseFold } from './model'

/**
 * The purchase that the observations tell of (wire 4.2), or null while none of them carries a transaction. Their
 * order and repetition do not matter.
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

/** The purchase as of an instant: the fold of what the store had said by then, as far as it is known now. */
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

/** Auto-renew, next product and consent: about the chain, so they outlive a transaction. */
function renewalMembers(words: readonly Word[], productType: ProductType, { part }: TransactionRecord): Renewal {
  const isSubscription = productType === 'SUBSCRIPTION'
  // A store that never said so charges a subscription again.
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

/** Trouble and pause count only as said while the transaction that is current now was the current one. */
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
  // Retrying without a word of grace means that the grace is over.
  const isGraceOver = billingTrouble === 'RETRY' && gracePeriodExpiresAt === undefined
  const grace = isGraceOver ? null : told(gracePeriodExpiresAt, members.gracePeriodExpiresAt)
  return { billingTrouble: trouble, gracePeriodExpiresAt: grace }
}

function readPause(members: Trouble, { pausedAt, autoResumeAt }: RenewalPart) {
  if (pausedAt === null) return { pausedAt, autoResumeAt: null }
  return { pausedAt: told(pausedAt, members.pausedAt), autoResumeAt: told(autoResumeAt, members.autoResumeAt) }
}

/** An absent member was not said; null was. */
const told = <Member>(word: Member | undefined, before: Member): Member => (word === undefined ? before : word)
