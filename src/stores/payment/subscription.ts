import { DAY } from '../../base/lib/clock'
import { canonicalJson, sha256Hex } from '../../base/lib/hash'
import type { ExpiryReason, RenewalPart, Report, TransactionPart } from '../observation'
import { mainPrice, type PaidPeriod, readPaidPeriod } from './invoice'
import { type Invoice, idOf, type Subscription, toInstant } from './shapes'

/** The event that caused the fetch, and the project's grace period for a customer who owes a payment. */
export interface ReportSource {
  /** For a fetch without an event: any text that sorts by its time. */
  eventId: string
  eventAt: number
  providerGraceDays: number
}

/**
 * One report for each paid invoice, with the id and date of its payment, so that all events with that invoice give the
 * same report. One more report gives the state of the subscription at the event; there is none while the first payment
 * is open.
 */
export function subscriptionReports(
  subscription: Subscription,
  invoices: readonly Invoice[],
  told: ReportSource,
): Report[] {
  const periods = [...new Map(invoices.map((invoice) => [invoice.id, invoice])).values()]
    .flatMap((invoice) => readPaidPeriod(invoice, subscription) ?? [])
    .sort((a, b) => a.part.purchaseDate - b.part.purchaseDate || (a.part.transactionId < b.part.transactionId ? -1 : 1))
  const paid = periods.map(
    ({ paidAt, part }): Report => ({ kind: 'REPORT', id: part.transactionId, eventAt: paidAt, transaction: part }),
  )
  const state = stateOf(subscription, periods.at(-1) ?? null, told)
  return state ? [...paid, toReport(subscription, state, told)] : paid
}

type State = Pick<Report, 'transaction' | 'renewal' | 'ended'>

/**
 * The provider's dates have whole seconds. Of two events within one second the id decides which is later, for its ids
 * sort by creation. A repetition of one event gives another report only if the subscription has changed since.
 */
const toReport = ({ id }: Subscription, state: State, { eventId, eventAt }: ReportSource): Report => ({
  kind: 'REPORT',
  id: `${id}@${eventAt}:${eventId}:${sha256Hex(canonicalJson(state)).slice(0, 12)}`,
  eventAt,
  ...state,
})

function stateOf(subscription: Subscription, period: PaidPeriod | null, told: ReportSource): State | null {
  const { status } = subscription
  if (status === 'canceled' || status === 'incomplete_expired') return endedState(subscription, period, told)
  // `incomplete`, or a status of a later version. Paid invoices are reported all the same.
  if (!RUNNING.includes(status)) return null
  return {
    transaction: currentPart(subscription, period),
    renewal: {
      autoRenews: !isEnding(subscription),
      ...billingProblemOf(subscription, period, told),
      ...pauseOf(subscription, told),
    },
  }
}

const RUNNING = ['active', 'trialing', 'past_due', 'unpaid', 'paused']

function endedState(subscription: Subscription, period: PaidPeriod | null, { eventAt }: ReportSource): State {
  const { ended_at } = subscription
  return {
    ...(period && { transaction: currentPart(subscription, period) }),
    renewal: { autoRenews: false, billingTrouble: 'NONE', pausedAt: null },
    ended: { at: ended_at === null ? eventAt : toInstant(ended_at), reason: reasonOf(subscription) },
  }
}

function reasonOf({ status, cancellation_details, cancel_at_period_end }: Subscription): ExpiryReason {
  if (status === 'incomplete_expired') return 'BILLING_ERROR'
  const reason = cancellation_details?.reason ?? null
  if (reason === 'payment_failed' || reason === 'payment_disputed') return 'BILLING_ERROR'
  return reason === 'cancellation_requested' || cancel_at_period_end ? 'UNSUBSCRIBED' : 'UNKNOWN'
}

/**
 * The newest paid transaction in its present state. While the provider keeps the subscription active, its end is that
 * of the running period. That period is paid up to an hour after it began, for its invoice is a draft until then.
 * During a billing problem the end is that of the paid period.
 */
function currentPart(subscription: Subscription, period: PaidPeriod | null): TransactionPart {
  const isKept = isActive(subscription) && !isPaused(subscription)
  const expiresAt = isKept ? periodEnd(subscription) : paidEnd(subscription, period)
  if (!period) return { ...unpaidPart(subscription), expiresAt }
  const charged = period.part.storeProductId
  const storeProductId = awaitsChange(subscription) ? charged : mainPrice(subscription)
  const isSwitched = storeProductId !== charged
  return {
    ...{ ...period.part, storeProductId, expiresAt },
    ...(isKept && hasMovedOn(subscription, period) && { awaitsCharge: true }),
    ...(isSwitched && { chargedStoreProductId: charged }),
  }
}

/** The provider begins the next period about an hour before it charges. */
const hasMovedOn = ({ items }: Subscription, { endsAt }: PaidPeriod): boolean =>
  toInstant(items.data[0]?.current_period_start ?? 0) >= endsAt

const isActive = ({ status }: Subscription): boolean => status === 'active' || status === 'trialing'

/** A new price without an invoice of its own is in force at once; with one, when the invoice is paid. */
const awaitsChange = ({ latest_invoice: invoice }: Subscription): boolean =>
  typeof invoice === 'object' && invoice?.billing_reason === 'subscription_update' && isOpen(invoice.status)

const isOpen = (status: string | null): boolean => status === 'draft' || status === 'open'

/**
 * For a bank debit in progress or a bill sent by mail: the subscription is active before it is paid, so its price is
 * not known yet.
 */
function unpaidPart(subscription: Subscription): TransactionPart {
  const { id, latest_invoice, items, status, start_date } = subscription
  const purchaseDate = toInstant(items.data[0]?.current_period_start ?? start_date)
  return {
    transactionId: latest_invoice === null ? `${id}:${purchaseDate}` : idOf(latest_invoice),
    storeProductId: mainPrice(subscription),
    purchaseDate,
    originalPurchaseDate: toInstant(start_date),
    expiresAt: null,
    isTrial: status === 'trialing',
    isIntroOffer: false,
    offerId: null,
    price: null,
    quantity: Math.max(1, items.data[0]?.quantity ?? 1),
    ownershipType: 'PURCHASED',
    reason: 'PURCHASE',
  }
}

/**
 * End of the running period. With several items it is the first one's; a cancellation with an earlier date moves it.
 */
function periodEnd({ items, cancel_at }: Subscription): number {
  const end = items.data[0]?.current_period_end ?? 0
  return toInstant(cancel_at === null ? end : Math.min(end, cancel_at))
}

/** An unpaid period begins where the last paid one ended. */
const paidEnd = ({ items }: Subscription, period: PaidPeriod | null): number =>
  period?.endsAt ?? toInstant(items.data[0]?.current_period_start ?? 0)

/**
 * A cancellation with a date is one at the period's end when no further period fits before the date (flexible billing).
 */
const isEnding = ({ cancel_at_period_end, cancel_at, items }: Subscription): boolean =>
  cancel_at_period_end || (cancel_at !== null && cancel_at <= (items.data[0]?.current_period_end ?? 0))

function billingProblemOf(subscription: Subscription, period: PaidPeriod | null, told: ReportSource): RenewalPart {
  if (subscription.status === 'unpaid') return { billingTrouble: 'RETRY', gracePeriodExpiresAt: null }
  if (subscription.status !== 'past_due') return { billingTrouble: 'NONE' }
  const gracePeriodExpiresAt = paidEnd(subscription, period) + told.providerGraceDays * DAY
  return { billingTrouble: 'GRACE', gracePeriodExpiresAt }
}

const isPaused = ({ status, pause_collection }: Subscription): boolean =>
  status === 'paused' || pause_collection !== null

/** A pause of the collection has no start date. It began no later than the provider reported it. */
function pauseOf(subscription: Subscription, { eventAt }: ReportSource): RenewalPart {
  if (!isPaused(subscription)) return { pausedAt: null }
  const since = subscription.status_details?.paused?.transitioned_at
  const resumesAt = subscription.pause_collection?.resumes_at ?? null
  return {
    pausedAt: subscription.status === 'paused' && since !== undefined ? toInstant(since) : eventAt,
    autoResumeAt: resumesAt === null ? null : toInstant(resumesAt),
  }
}
