import type { PurchaseStatus } from '../../core/purchase/status'
import { isCharge, isReturn } from './lines'
import type { PurchaseState, TransactionLine } from './model'
import {
  activeAgain,
  autoRenewFlipped,
  billingIssue,
  expired,
  extended,
  gracePeriod,
  type PurchaseEvent,
  paused,
  type RefundData,
  trialStarted,
} from './purchase-event'

/** What decides the events, besides the two states. */
export interface ChangeContext {
  /** Lines of the purchase that are not part of an event yet, in the order of `transactionLines`. */
  newLines: readonly TransactionLine[]
  /** Our id of the product with this store product id; null when there is none. */
  productIdOf: (storeProductId: string) => string | null
  /** Our id of the charge of a store transaction; null when it has no money line. */
  transactionIdOf: (storeTransactionId: string) => string | null
  /** The store transactions that charged something within a period. They are never the current one. Absent: none did. */
  adjustments?: ReadonlySet<string>
  /** Store product of the other purchase that this new one replaces (Android's linked purchase token). */
  replacedStoreProductId?: string
}

/** One change of a purchase. */
interface Change extends ChangeContext {
  before: PurchaseState | null
  after: PurchaseState
  /** The charge line of the current transaction, if it is new. */
  charge: TransactionLine | null
  /** Whether the current transaction is another one than in `before`. */
  isNewTransaction: boolean
}

/**
 * The events of a change from the last published state to the new one. Their order: the purchase, the refunds, other
 * changes, and last the new status (wire 4.2). A new transaction first gives the event of its purchase, even if it has
 * ended since; of several new ones only the current one does. Equal states without new lines give no event.
 */
export function purchaseEvents(
  before: PurchaseState | null,
  after: PurchaseState,
  context: ChangeContext,
): PurchaseEvent[] {
  const isNewTransaction = !before || !isSameTransaction(before, after)
  const charge = context.newLines.find((line) => isCharge(line) && isCurrent(line, { ...context, after })) ?? null
  const change: Change = { ...context, before, after, charge, isNewTransaction }
  const opening = isNewTransaction ? openingEvents(change) : []
  const from = before && !isNewTransaction ? before.status : openedStatus(after)
  const ending = endingEvents(from, change)
  const isInEnding = ({ key }: TransactionLine) => ending.some(({ transactionKey }) => transactionKey === key)
  return [
    ...opening,
    ...adjustmentEvents(change),
    ...moneyEvents(from, change, isInEnding),
    ...productEvents(change, opening.length > 0),
    ...renewalEvents(from, change),
    ...ending,
  ]
}

/** A copy that was bought earlier gives a known transaction another id. */
const isSameTransaction = (before: PurchaseState, { storeTransactionId, aliases = [] }: PurchaseState): boolean =>
  before.storeTransactionId === storeTransactionId || aliases.includes(before.storeTransactionId)

const isCurrent = (
  { storeTransactionId }: TransactionLine,
  { after, adjustments }: Pick<Change, 'after' | 'adjustments'>,
): boolean => storeTransactionId === after.storeTransactionId && !adjustments?.has(storeTransactionId)

/** The status with which a new transaction starts. */
const openedStatus = ({ isTrial }: PurchaseState): PurchaseStatus => (isTrial ? 'TRIAL' : 'ACTIVE')

function openingEvents(change: Change): PurchaseEvent[] {
  const { before, after, charge } = change
  const transactionKey = charge?.key ?? null
  if (after.productType !== 'SUBSCRIPTION') {
    return [{ type: 'purchase.non_renewing', data: { quantity: after.quantity }, transactionKey }]
  }
  if (after.isTrial) return before?.status === 'TRIAL' ? [] : [trialStarted(after, transactionKey)]
  if (!before) return [{ type: 'purchase.initial', data: { offerId: after.offerId }, transactionKey }]
  // A change of the product gives the event product_changed only.
  if (before.status === 'ACTIVE' && charge?.kind === 'PRODUCT_CHANGE') return []
  return [activeAgain(before, transactionKey) ?? renewed(change, transactionKey)]
}

/**
 * `reactivation`: the purchase was published as expired, or the customer bought again after its end. `late`: the store
 * charged by itself, and we learned it after we had published the end or after the end of the new period.
 */
function renewed({ before, after, charge }: Change, transactionKey: string | null): PurchaseEvent {
  const wasExpired = before?.status === 'EXPIRED'
  const isRenewal =
    charge?.kind === 'RENEWAL' || charge?.kind === 'TRIAL_CONVERSION' || charge?.changedFrom !== undefined
  const reactivation = wasExpired || charge?.kind === 'REACTIVATION'
  const late = (wasExpired && isRenewal) || after.status === 'EXPIRED'
  return { type: 'purchase.renewed', data: { reactivation, late }, transactionKey }
}

/** Charges within a period: more seats, a proration, an item added by hand. */
const adjustmentEvents = ({ newLines }: Change): PurchaseEvent[] =>
  newLines
    .filter(({ kind }) => kind === 'ADJUSTMENT')
    .map(({ key }) => ({ type: 'purchase.charged', data: { kind: 'ADJUSTMENT' }, transactionKey: key }))

/** Events of refunds and reversals, without the line that the event of the ending contains. */
function moneyEvents(
  from: PurchaseStatus,
  change: Change,
  isInEnding: (line: TransactionLine) => boolean,
): PurchaseEvent[] {
  const lines = change.newLines.filter((line) => !isCharge(line) && !isInEnding(line))
  const events = lines.map((line) => moneyEvent(line, change))
  const isReversalTold = lines.some((line) => line.kind === 'REFUND_REVERSAL' && isCurrent(line, change))
  return leavesRefund(from, change.after.status) && !isReversalTold
    ? [...events, { type: 'purchase.refund_reversed', data: refundData(null, change), transactionKey: null }]
    : events
}

const moneyEvent = (line: TransactionLine, change: Change): PurchaseEvent => ({
  type: isReturn(line) ? 'purchase.refunded' : 'purchase.refund_reversed',
  data: refundData(line, change),
  transactionKey: line.key,
})

/** Without a line (family share, free period) the refund concerns the current transaction, and no money moved. */
function refundData(line: TransactionLine | null, change: Change): RefundData {
  const { after, transactionIdOf } = change
  const price = line?.price ?? null
  return {
    refundedTransactionId: transactionIdOf(line?.storeTransactionId ?? after.storeTransactionId),
    current: line === null || isCurrent(line, change),
    refund: price && { ...price, amountMicros: Math.abs(price.amountMicros) },
  }
}

/**
 * A reversal gives an event even without a money line. The exception is a revocation whose purchase has ended in the
 * meantime.
 */
function leavesRefund(from: PurchaseStatus, to: PurchaseStatus): boolean {
  if (from === 'REFUNDED') return to !== 'REFUNDED' && to !== 'REVOKED' && to !== 'TRIAL'
  return from === 'REVOKED' && (to === 'ACTIVE' || to === 'GRACE_PERIOD' || to === 'BILLING_RETRY' || to === 'PAUSED')
}

function productEvents(change: Change, isOpened: boolean): PurchaseEvent[] {
  const { before, after, charge } = change
  const transactionKey = isOpened ? null : (charge?.key ?? null)
  const earlier = productBefore(change, isOpened)
  if (earlier !== after.storeProductId) {
    return needsNoEvent(change) ? [] : [productChanged(earlier, after.storeProductId, 'NOW', transactionKey, change)]
  }
  if (!before || before.pendingStoreProductId === after.pendingStoreProductId) return []
  const [from, to] =
    after.pendingStoreProductId === null
      ? [before.pendingStoreProductId ?? earlier, after.storeProductId]
      : [after.storeProductId, after.pendingStoreProductId]
  return [productChanged(from, to, 'NEXT_PERIOD', null, change)]
}

/**
 * The product of the next period is in force about an hour before its charge, which tells the change. Where the charge
 * has an event of its own, that event contains the change.
 */
function productBefore({ before, after, charge, replacedStoreProductId }: Change, isOpened: boolean): string {
  if (!before) return replacedStoreProductId ?? after.storeProductId
  const isInForce = before.storeProductId === after.storeProductId
  return isInForce && !isOpened && charge?.changedFrom !== undefined ? charge.changedFrom : before.storeProductId
}

/** Whether the new product needs no event: it was announced for the next period, or was bought after the end. */
function needsNoEvent({ before, after, charge }: Change): boolean {
  if (!before || charge?.kind === 'PRODUCT_CHANGE') return false
  return before.pendingStoreProductId === after.storeProductId || charge?.kind === 'REACTIVATION'
}

const productChanged = (
  from: string,
  to: string,
  effective: 'NOW' | 'NEXT_PERIOD',
  transactionKey: string | null,
  { productIdOf }: Change,
): PurchaseEvent => ({
  type: 'purchase.product_changed',
  data: { fromProductId: productIdOf(from), toProductId: productIdOf(to), effective },
  transactionKey,
})

/**
 * Consent, end and auto-renew. Their events need an earlier published value that differs, so a new purchase gives none.
 */
function renewalEvents(from: PurchaseStatus, { before, after, isNewTransaction }: Change): PurchaseEvent[] {
  if (!before) return []
  const events: PurchaseEvent[] = []
  if (after.priceConsent !== null && after.priceConsent !== before.priceConsent) {
    events.push({ type: 'purchase.price_increase_consent', data: { state: after.priceConsent }, transactionKey: null })
  }
  const isExtended = !isNewTransaction && !after.awaitsCharge && isLaterEnd(before.expiresAt, after.expiresAt)
  if (isExtended) events.push(extended(before, after))
  // A purchase that ended was not cancelled with that: it expired, or was refunded or revoked.
  const endsNow = from !== after.status && ENDED.includes(after.status)
  if (before.autoRenews && !after.autoRenews && !endsNow) events.push(autoRenewFlipped('purchase.cancelled', after))
  // The event of the new transaction already says that it renews.
  if (!before.autoRenews && after.autoRenews && !isNewTransaction) {
    events.push(autoRenewFlipped('purchase.uncancelled', after))
  }
  return events
}

const ENDED: readonly PurchaseStatus[] = ['EXPIRED', 'REFUNDED', 'REVOKED']

const isLaterEnd = (before: number | null, after: number | null): boolean =>
  before !== null && (after === null || after > before)

/** The event for the change from one status to another within a transaction. */
function endingEvents(from: PurchaseStatus, change: Change): PurchaseEvent[] {
  const { after } = change
  const wasTakenBack = from === 'REFUNDED' || from === 'REVOKED'
  if (from === after.status) return []
  switch (after.status) {
    case 'TRIAL':
      return [trialStarted(after, null)]
    case 'ACTIVE':
      return wasTakenBack ? [] : [activeEvent(change)]
    case 'GRACE_PERIOD':
      return from === 'BILLING_RETRY' ? [gracePeriod(after)] : [billingIssue('GRACE'), gracePeriod(after)]
    case 'BILLING_RETRY':
      return [billingIssue('RETRY')]
    case 'PAUSED':
      return [paused(after)]
    case 'EXPIRED':
      return wasTakenBack ? [] : [expired(after)]
    case 'REFUNDED':
      return from === 'REVOKED' ? [] : [refunded(change)]
    case 'REVOKED':
      return [revoked(change)]
  }
}

const activeEvent = (change: Change): PurchaseEvent =>
  (change.before && activeAgain(change.before, null)) ?? renewed(change, null)

function refunded(change: Change): PurchaseEvent {
  const line = lastReturn(change)
  return { type: 'purchase.refunded', data: refundData(line, change), transactionKey: line?.key ?? null }
}

const revoked = (change: Change): PurchaseEvent => ({
  type: 'purchase.revoked',
  data: { reason: change.after.expiryReason ?? 'UNKNOWN' },
  transactionKey: lastReturn(change)?.key ?? null,
})

/** The new refund line of the current transaction that caused its ending. */
const lastReturn = (change: Change): TransactionLine | null =>
  change.newLines.findLast((line) => isReturn(line) && isCurrent(line, change)) ?? null
