import { canonicalJson, sha256Hex } from '../../base/lib/hash'
import type { Money } from '../../base/lib/money'
import type { ExpiryReason, Observation, RenewalPart, Report, TransactionPart } from '../observation'
import type { AndroidSubscription, SubscriptionItem } from './decode'
import { knownPart, orderIdOf, purchaseDateOf, type Sight } from './order'
import { revocationMarker } from './voided'

/**
 * What a fetched subscription says of the purchase: a report as of the fetch and, when Google revoked it, the marker.
 *
 * Google tells what an order was only while it is the current one, and not all of it: no start, no price after a
 * change, and in a grace period no end of the paid period, for `expiryTime` then is the end of the grace. So what an
 * earlier report told of the same order is kept, and only its end may move.
 */
export function observeSubscription(
  subscription: AndroidSubscription,
  item: SubscriptionItem,
  sight: Sight,
): Observation[] {
  const transaction = toPart(subscription, item, sight)
  const renewal = toRenewal(subscription, item, sight)
  const report = toReport({ transaction, renewal, ...endedMember(subscription, item, sight) }, transaction, sight)
  const { revokedAt } = sight
  return revokedAt ? [report, revocationMarker(transaction.transactionId, revokedAt)] : [report]
}

/** Two fetches within a millisecond that were answered differently are two words: the second counts as the later. */
function toReport(
  told: Omit<Report, 'kind' | 'id' | 'eventAt'>,
  { transactionId }: TransactionPart,
  { fetchedAt, known }: Sight,
): Report {
  const reportAt = (eventAt: number): Report => ({
    kind: 'REPORT',
    id: `${transactionId}@${eventAt}`,
    eventAt,
    ...told,
  })
  let report = reportAt(fetchedAt)
  let before: Observation | undefined
  for (let same = sameWord(report, known); same; same = sameWord(report, known)) {
    before = same
    report = reportAt(report.eventAt + 1)
  }
  return before && contentOf(before) === contentOf(report) ? reportAt(before.eventAt) : report
}

const sameWord = ({ kind, id }: Report, known: readonly Observation[]): Observation | undefined =>
  known.find((one) => one.kind === kind && one.id === id)

/**
 * Whether an observation says only what the newest known report said, at a later fetch: devices post their tokens at
 * each start, and such a word need not be kept more often than the reconciler wants to hear one.
 */
export function saysNothingNew(observation: Observation, known: readonly Observation[]): boolean {
  // What another purchase tells of this one has no transaction, and may have come between at the same instant.
  const answers = known.filter((one) => one.kind === 'REPORT' && one.transaction)
  const newest = answers.toSorted((a, b) => a.eventAt - b.eventAt).at(-1)
  return newest !== undefined && newest.eventAt <= observation.eventAt && contentOf(newest) === contentOf(observation)
}

const contentOf = (observation: Observation): string => canonicalJson({ ...observation, id: '', eventAt: 0 })

/** The end of the purchase that this one replaces, to be told of that purchase's own token; null when it replaces none. */
export function observeReplaced(
  { linkedPurchaseToken, purchaseToken, startedAt }: AndroidSubscription,
  fetchedAt: number,
): { purchaseToken: string; report: Report } | null {
  if (linkedPurchaseToken === null) return null
  const ended = { at: Math.min(startedAt, fetchedAt), reason: 'REPLACED' } as const
  const id = `replaced:${sha256Hex(purchaseToken).slice(0, 32)}`
  return { purchaseToken: linkedPurchaseToken, report: { kind: 'REPORT', id, eventAt: fetchedAt, ended } }
}

function toPart(subscription: AndroidSubscription, item: SubscriptionItem, sight: Sight): TransactionPart {
  const transactionId = orderIdOf(item.orderId, subscription.purchaseToken)
  const { storeProductId } = item
  const told = knownPart(sight.known, { transactionId, storeProductId })
  return {
    transactionId,
    storeProductId,
    purchaseDate: told?.purchaseDate ?? purchaseDateOf(transactionId, subscription, item, sight),
    originalPurchaseDate: subscription.startedAt,
    expiresAt: paidUntil(subscription, item, sight, told),
    isTrial: told?.isTrial ?? item.phase === 'FREE_TRIAL',
    isIntroOffer: told?.isIntroOffer ?? item.phase === 'INTRODUCTORY',
    offerId: told ? told.offerId : item.offerId,
    price: told?.price ?? chargedPrice(subscription, item),
    quantity: 1,
    ownershipType: 'PURCHASED',
    reason: /\.\.\d+$/.test(transactionId) ? 'RENEWAL' : 'PURCHASE',
  }
}

/** End of the last paid period. First seen in a grace period it is unknown: then the fetch, the latest it can be. */
function paidUntil(
  { state }: AndroidSubscription,
  { expiresAt }: SubscriptionItem,
  { fetchedAt }: Sight,
  told: TransactionPart | null,
): number {
  if (state !== 'IN_GRACE_PERIOD' && state !== 'ON_HOLD' && state !== 'EXPIRED') return expiresAt
  const latest = Math.min(expiresAt, fetchedAt)
  return Math.min(told?.expiresAt ?? latest, latest)
}

/**
 * What the period cost, as far as the recurring price tells: nothing in a free trial; unknown in an introductory or
 * prorated one, and when an order that an offer came with is first seen in trouble, for it may have been the trial.
 */
function chargedPrice({ state }: AndroidSubscription, item: SubscriptionItem): Money | null {
  const { phase, offerId, orderId, recurringPrice } = item
  if (phase === 'FREE_TRIAL') return recurringPrice && { ...recurringPrice, amountMicros: 0 }
  const isInTrouble = state === 'IN_GRACE_PERIOD' || state === 'ON_HOLD'
  const mayHaveBeenFree = isInTrouble && offerId !== null && !orderId?.includes('..')
  return phase === 'INTRODUCTORY' || phase === 'PRORATION' || mayHaveBeenFree ? null : recurringPrice
}

function toRenewal(
  { state, autoResumeAt, endReason }: AndroidSubscription,
  item: SubscriptionItem,
  { fetchedAt }: Sight,
): RenewalPart {
  const { pendingStoreProductId, priceConsent, expiresAt } = item
  const autoRenews = willRenew(state, item, endReason)
  const renewal: RenewalPart = {
    ...(autoRenews === null ? {} : { autoRenews }),
    pendingStoreProductId,
    priceConsent,
  }
  switch (state) {
    case 'IN_GRACE_PERIOD':
      return { ...renewal, ...NO_PAUSE, billingTrouble: 'GRACE', gracePeriodExpiresAt: expiresAt }
    case 'ON_HOLD':
      return { ...renewal, ...NO_PAUSE, billingTrouble: 'RETRY', gracePeriodExpiresAt: null }
    case 'PAUSED':
      // A pause begins at the end of the paid period.
      return { ...renewal, ...NO_TROUBLE, pausedAt: Math.min(expiresAt, fetchedAt), autoResumeAt }
    default:
      return { ...renewal, ...NO_TROUBLE, ...NO_PAUSE }
  }
}

const NO_TROUBLE = { billingTrouble: 'NONE' } as const
const NO_PAUSE = { pausedAt: null } as const

/** Null = not said: an end that nobody asked for is no cancellation, though nothing will renew after it. */
function willRenew(state: AndroidSubscription['state'], item: SubscriptionItem, reason: ExpiryReason): boolean | null {
  if (state === 'CANCELED') return false
  if (state !== 'EXPIRED' || item.isPrepaid) return item.autoRenews
  return reason === 'UNSUBSCRIBED' || reason === 'DEVELOPER' ? false : null
}

function endedMember(
  { state, endReason }: AndroidSubscription,
  { expiresAt }: SubscriptionItem,
  { fetchedAt }: Sight,
): Pick<Report, 'ended'> {
  return state === 'EXPIRED' ? { ended: { at: Math.min(expiresAt, fetchedAt), reason: endReason } } : {}
}
