import { canonicalJson, sha256Hex } from '../../base/lib/hash'
import type { Money } from '../../base/lib/money'
import type { Adjustment, ExpiryReason, Observation, RenewalPart, Report, TransactionPart } from '../observation'
import type { AndroidSubscription, SubscriptionItem } from './decode'
import { type FetchContext, knownAdjustment, knownPart, orderIdOf, purchaseDateOf } from './order'
import type { PaidProduct } from './paid-order'
import { splitAndroidId } from './purchase-id'
import { revocationMarker } from './voided'

/**
 * The observations from a fetched subscription: a report dated by the fetch and, when Google revoked the purchase, the
 * marker.
 *
 * Google describes an order only while it is the current one, and not completely. It gives no start and no price after
 * a change. During a grace period it does not give the end of the paid period: `expiryTime` is then the end of the
 * grace period. So the values that an earlier report gave for the same order are kept; only the end of the order may
 * change.
 */
export function reportSubscription(
  subscription: AndroidSubscription,
  item: SubscriptionItem,
  context: FetchContext,
): Observation[] {
  const transaction = toPart(subscription, item, context)
  const renewal = toRenewal(subscription, item, context)
  const adjustment = toAdjustment(transaction, item, context)
  const content = { transaction, renewal, ...(adjustment && { adjustment }) }
  const report = toReport({ ...content, ...endedMember(subscription, item, context) }, transaction, context)
  const { revokedAt, order = null } = context
  if (!revokedAt) return [report]
  return [report, revocationMarker(transaction.transactionId, revokedAt, order?.refunds)]
}

/** Two different answers within one millisecond give two reports; the second one gets the later event time. */
function toReport(
  content: Omit<Report, 'kind' | 'id' | 'eventAt'>,
  { transactionId }: TransactionPart,
  { fetchedAt, known }: FetchContext,
): Report {
  const reportAt = (eventAt: number): Report => ({
    kind: 'REPORT',
    id: `${transactionId}@${eventAt}`,
    eventAt,
    ...content,
  })
  let report = reportAt(fetchedAt)
  let before: Observation | undefined
  for (let same = sameReport(report, known); same; same = sameReport(report, known)) {
    before = same
    report = reportAt(report.eventAt + 1)
  }
  return before && contentOf(before) === contentOf(report) ? reportAt(before.eventAt) : report
}

const sameReport = ({ kind, id }: Report, known: readonly Observation[]): Observation | undefined =>
  known.find((one) => one.kind === kind && one.id === id)

/**
 * Whether an observation repeats the newest known report, only at a later fetch. Devices send their tokens at each
 * start, and such repetitions need not be stored more often than the reconciler requires a fresh report.
 */
export function saysNothingNew(observation: Observation, known: readonly Observation[]): boolean {
  // A report from another purchase (its replacement) has no transaction and may lie between two answers of one instant.
  const answers = known.filter((one) => one.kind === 'REPORT' && one.transaction)
  const newest = answers.toSorted((a, b) => a.eventAt - b.eventAt).at(-1)
  return newest !== undefined && newest.eventAt <= observation.eventAt && contentOf(newest) === contentOf(observation)
}

const contentOf = (observation: Observation): string => canonicalJson({ ...observation, id: '', eventAt: 0 })

/** The end of the purchase that this one replaces, as a report for that purchase's token; null when there is none. */
export function reportReplaced(
  { linkedPurchaseToken, purchaseToken, startedAt }: AndroidSubscription,
  fetchedAt: number,
): { purchaseToken: string; report: Report } | null {
  if (linkedPurchaseToken === null) return null
  const ended = { at: Math.min(startedAt, fetchedAt), reason: 'REPLACED' } as const
  const id = `replaced:${sha256Hex(purchaseToken).slice(0, 32)}`
  return { purchaseToken: linkedPurchaseToken, report: { kind: 'REPORT', id, eventAt: fetchedAt, ended } }
}

function toPart(subscription: AndroidSubscription, item: SubscriptionItem, context: FetchContext): TransactionPart {
  const transactionId = orderIdOf(item.orderId, subscription.purchaseToken)
  const { storeProductId } = item
  const earlier = knownPart(context.known, { transactionId, storeProductId })
  const paid = paidOf(item, context)
  const phase = paid?.phase ?? item.phase
  // The rest of a period after a change of plan is no period of its own. What it cost is an adjustment.
  const isUncharged = earlier ? earlier.isUncharged : phase === 'PRORATION'
  const total = isUncharged ? null : paid?.total
  return {
    transactionId,
    storeProductId,
    purchaseDate: earlier?.purchaseDate ?? purchaseDateOf(transactionId, subscription, item, context),
    originalPurchaseDate: subscription.startedAt,
    expiresAt: paidUntil(subscription, item, context, earlier),
    isTrial: earlier?.isTrial ?? phase === 'FREE_TRIAL',
    isIntroOffer: earlier?.isIntroOffer ?? phase === 'INTRODUCTORY',
    offerId: earlier ? earlier.offerId : item.offerId,
    price: total ?? earlier?.price ?? chargedPrice(subscription, { ...item, phase }),
    ...countryOf(subscription, earlier),
    quantity: 1,
    ownershipType: 'PURCHASED',
    ...(isUncharged && { isUncharged: true }),
    reason: /\.\.\d+$/.test(transactionId) ? 'RENEWAL' : 'PURCHASE',
  }
}

/** The country in which the transaction was first seen stays. */
function countryOf(
  { country }: AndroidSubscription,
  earlier: TransactionPart | null,
): Pick<TransactionPart, 'country'> {
  const known = earlier ? earlier.country : (country ?? undefined)
  return known === undefined ? {} : { country: known }
}

/** An order names the product without its base plan. */
const paidOf = ({ storeProductId }: SubscriptionItem, { order }: FetchContext): PaidProduct | null =>
  order?.products.get(splitAndroidId(storeProductId).productId) ?? null

/** What the rest of a period cost after a change of plan; null when it cost nothing, or when Google does not tell it. */
function toAdjustment(part: TransactionPart, item: SubscriptionItem, context: FetchContext): Adjustment | null {
  const { transactionId, storeProductId, purchaseDate, quantity } = part
  if (!part.isUncharged) return null
  const price = paidOf(item, context)?.total
  if (!price) return knownAdjustment(context.known, part)
  if (price.amountMicros === 0) return null
  const chargedAt = Math.min(context.order?.createdAt ?? purchaseDate, context.fetchedAt)
  return { transactionId, storeProductId, chargedAt, price, quantity }
}

/**
 * End of the last paid period. If the first fetch falls into a grace period, the end is unknown. Then the fetch is
 * taken, the latest instant that it can be.
 */
function paidUntil(
  { state }: AndroidSubscription,
  { expiresAt }: SubscriptionItem,
  { fetchedAt }: FetchContext,
  earlier: TransactionPart | null,
): number {
  if (state !== 'IN_GRACE_PERIOD' && state !== 'ON_HOLD' && state !== 'EXPIRED') return expiresAt
  const latest = Math.min(expiresAt, fetchedAt)
  return Math.min(earlier?.expiresAt ?? latest, latest)
}

/**
 * What the period cost, as far as the recurring price shows, for an order that Google does not tell. A free trial costs
 * nothing. The price of an introductory or prorated period is unknown. It is also unknown when an order with an offer is
 * first fetched during a billing problem, for it may have been the trial.
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
  { fetchedAt }: FetchContext,
): RenewalPart {
  const { pendingStoreProductId, priceConsent, expiresAt, recurringPrice, priceAfter } = item
  const autoRenews = willRenew(state, item, endReason)
  const renewal: RenewalPart = {
    ...(autoRenews === null ? {} : { autoRenews }),
    pendingStoreProductId,
    priceConsent,
    recurring: recurringPrice && { price: recurringPrice, period: null },
    priceAfter,
  }
  switch (state) {
    case 'IN_GRACE_PERIOD':
      return { ...renewal, ...NO_PAUSE, billingTrouble: 'GRACE', gracePeriodExpiresAt: expiresAt }
    case 'ON_HOLD':
      return { ...renewal, ...NO_PAUSE, billingTrouble: 'RETRY', gracePeriodExpiresAt: null }
    case 'PAUSED':
      // A pause starts at the end of the paid period.
      return { ...renewal, ...NO_TROUBLE, pausedAt: Math.min(expiresAt, fetchedAt), autoResumeAt }
    default:
      return { ...renewal, ...NO_TROUBLE, ...NO_PAUSE }
  }
}

const NO_TROUBLE = { billingTrouble: 'NONE' } as const
const NO_PAUSE = { pausedAt: null } as const

/** Null = unknown. An end that the buyer did not ask for is no cancellation, although nothing renews after it. */
function willRenew(state: AndroidSubscription['state'], item: SubscriptionItem, reason: ExpiryReason): boolean | null {
  if (state === 'CANCELED') return false
  if (state !== 'EXPIRED' || item.isPrepaid) return item.autoRenews
  return reason === 'UNSUBSCRIBED' || reason === 'DEVELOPER' ? false : null
}

function endedMember(
  { state, endReason }: AndroidSubscription,
  { expiresAt }: SubscriptionItem,
  { fetchedAt }: FetchContext,
): Pick<Report, 'ended'> {
  return state === 'EXPIRED' ? { ended: { at: Math.min(expiresAt, fetchedAt), reason: endReason } } : {}
}
