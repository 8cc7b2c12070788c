import { DAY } from '../../base/lib/clock'
import { canonicalJson, sha256Hex } from '../../base/lib/hash'
import type { ExpiryReason, RenewalPart, Report, TransactionPart } from '../observation'
import { isPaidOf, nameOfProration, namesOfProrations, type PaidItem, type PaidPeriod, readPaidItems } from './invoice'
import type { ItemNames } from './invoice-items'
import { itemPrice } from './price'
import { type Invoice, type Item, idOf, type Price, type Schedule, type Subscription, toInstant } from './shapes'

/** The circumstances of a fetch that the provider's answer does not contain. */
export interface ReportSource {
  /** When the provider answered: the event time of what it said about the state. */
  fetchedAt: number
  /** The time of the event that caused the fetch, for refunds and disputes; without an event that of the fetch. */
  eventAt: number
  /** The project's grace period for a customer who owes a payment. */
  providerGraceDays: number
  /** Whether a customer keeps access after the paid period while the collection is paused. */
  pausedCollection: 'access' | 'noAccess'
}

/** What the provider reports about one item of a subscription. */
export interface ItemReports {
  /** The id of the item. */
  lineKey: string
  storeProductId: string
  /** False for an item that was removed, and is known by its paid invoices only. */
  isPresent: boolean
  reports: Report[]
}

/**
 * The reports of each item, the present ones first. One report for each paid invoice with a charge of the item, with the id
 * and date of its payment, so that all events with that invoice give the same report. One more report gives the state of the
 * item at the fetch; there is none while the first payment is open.
 */
export function subscriptionReports(
  subscription: Subscription,
  invoices: readonly Invoice[],
  names: ItemNames,
  schedule: Schedule | null,
  told: ReportSource,
): ItemReports[] {
  const bills = [...new Map(invoices.map((invoice) => [invoice.id, invoice])).values()]
  const paid = bills.flatMap((invoice) => readPaidItems(invoice, subscription, names)).sort(byTime)
  const prorations = new Set(bills.flatMap((invoice) => namesOfProrations(invoice, subscription, names)))
  const charges = new Map(
    [...Map.groupBy(paid, ({ lineKey }) => lineKey)].map(([id, own]) => [id, withChanges(own, prorations)]),
  )
  const next = nextPrices(subscription, schedule)
  const hasPaid = invoices.some((invoice) => isPaidOf(invoice, subscription))
  const present = subscription.items.data.map((item): ItemReports => {
    const own = charges.get(item.id) ?? []
    const isCharged = own.length > 0
    const about = { subscription, item, next: next.get(item.id) ?? null, hasPaid, isCharged }
    const state = stateOf(about, newestPeriod(own), told)
    const reports = [...own.map(toPaidReport), ...(state ? [toReport(item, state, told)] : [])]
    return { lineKey: item.id, storeProductId: item.price.id, isPresent: true, reports }
  })
  const gone = [...charges].filter(([lineKey]) => subscription.items.data.every(({ id }) => id !== lineKey))
  const isComplete = invoices.some(({ billing_reason }) => billing_reason === 'subscription_create')
  return [...present.filter(({ reports }) => reports.length > 0), ...gone.map((one) => toGone(one, isComplete))]
}

/**
 * Marks the renewals that can change the product. The customer changed it within the period before, if a proration
 * charged the rest of that period for it. `own`: the charges of one item, in order.
 */
function withChanges(own: readonly PaidItem[], prorations: ReadonlySet<string>): PaidItem[] {
  const sold = new Set<string>()
  return own.map((one) => {
    const { charge, lineKey } = one
    if (charge.kind !== 'PERIOD') return one
    const { storeProductId, purchaseDate, reason } = charge.part
    const isOther = [...sold].some((id) => id !== storeProductId)
    sold.add(storeProductId)
    if (!isOther || reason !== 'RENEWAL') return one
    if (prorations.has(nameOfProration(lineKey, storeProductId, purchaseDate))) return one
    return { ...one, charge: { ...charge, part: { ...charge.part, mayChangeProduct: true as const } } }
  })
}

const byTime = (a: PaidItem, b: PaidItem): number =>
  beginOf(a) - beginOf(b) || (idOfCharge(a) < idOfCharge(b) ? -1 : idOfCharge(a) > idOfCharge(b) ? 1 : 0)

const beginOf = ({ charge }: PaidItem): number =>
  charge.kind === 'PERIOD' ? charge.part.purchaseDate : charge.adjustment.chargedAt

const idOfCharge = ({ charge }: PaidItem): string =>
  charge.kind === 'PERIOD' ? charge.part.transactionId : charge.adjustment.transactionId

function newestPeriod(own: readonly PaidItem[]): PaidPeriod | null {
  const newest = own.findLast(({ charge }) => charge.kind === 'PERIOD')
  return newest?.charge.kind === 'PERIOD' ? newest.charge : null
}

/** `isComplete`: all paid invoices are known, so the first period among them is the first of the item. */
function toGone([lineKey, own]: [string, PaidItem[]], isComplete: boolean): ItemReports {
  const first = isComplete ? own.find(({ charge }) => charge.kind === 'PERIOD') : undefined
  const newest = own.at(-1)?.charge
  const storeProductId = newest?.kind === 'PERIOD' ? newest.part.storeProductId : newest?.adjustment.storeProductId
  const reports = own.map((one) => (one === first ? asPurchase(toPaidReport(one)) : toPaidReport(one)))
  return { lineKey, storeProductId: storeProductId ?? '', isPresent: false, reports }
}

const asPurchase = ({ transaction, ...report }: Report): Report => ({
  ...report,
  ...(transaction && { transaction: { ...transaction, reason: 'PURCHASE' } }),
})

function toPaidReport(one: PaidItem): Report {
  const { charge, paidAt } = one
  const report = { kind: 'REPORT', id: idOfCharge(one), eventAt: paidAt } as const
  return charge.kind === 'PERIOD'
    ? { ...report, transaction: charge.part }
    : { ...report, adjustment: charge.adjustment }
}

type State = Pick<Report, 'transaction' | 'renewal' | 'ended'>

/** One item of a subscription, in its present state. */
interface ItemState {
  subscription: Subscription
  item: Item
  /** Its price in the next phase of a schedule. */
  next: Price | null
  /** Whether an invoice of the subscription is paid, also when all that are known credited more than they charged. */
  hasPaid: boolean
  /** Whether one of them charged the item. */
  isCharged: boolean
}

/** The same state at the same fetch gives the same report. */
const toReport = ({ id }: Item, state: State, { fetchedAt }: ReportSource): Report => ({
  kind: 'REPORT',
  id: `${id}@${fetchedAt}:${sha256Hex(canonicalJson(state)).slice(0, 12)}`,
  eventAt: fetchedAt,
  ...state,
})

function stateOf(about: ItemState, period: PaidPeriod | null, told: ReportSource): State | null {
  const { subscription, next } = about
  const { status } = subscription
  if (status === 'canceled' || status === 'incomplete_expired') return endedState(about, period, told)
  // `incomplete`, or a status of a later version. Paid invoices are reported all the same.
  if (!RUNNING.includes(status)) return null
  return {
    transaction: currentPart(about, period, told),
    renewal: {
      autoRenews: !isEnding(about),
      pendingStoreProductId: next?.id ?? null,
      ...itemPrice(subscription, about.item, next, told.fetchedAt),
      ...billingProblemOf(about, period, told),
      ...pauseOf(about, period, told),
    },
  }
}

const RUNNING = ['active', 'trialing', 'past_due', 'unpaid', 'paused']

function endedState(about: ItemState, period: PaidPeriod | null, told: ReportSource): State {
  const { subscription, item } = about
  const { ended_at } = subscription
  const { recurring } = itemPrice(subscription, item, null, told.fetchedAt)
  // An item that was added within a period, and ended with it, has only charges within the period.
  const added = about.isCharged ? { ...unpaidPart(about), expiresAt: periodEnd(about) } : null
  const transaction = period ? currentPart(about, period, told) : added
  return {
    ...(transaction && { transaction }),
    renewal: { ...OVER, recurring },
    ended: { at: ended_at === null ? told.fetchedAt : toInstant(ended_at), reason: reasonOf(subscription) },
  }
}

const OVER: RenewalPart = {
  autoRenews: false,
  pendingStoreProductId: null,
  billingTrouble: 'NONE',
  pausedAt: null,
  priceAfter: null,
}

function reasonOf({ status, cancellation_details, cancel_at_period_end }: Subscription): ExpiryReason {
  if (status === 'incomplete_expired') return 'BILLING_ERROR'
  const reason = cancellation_details?.reason ?? null
  if (reason === 'payment_failed' || reason === 'payment_disputed') return 'BILLING_ERROR'
  return reason === 'cancellation_requested' || cancel_at_period_end ? 'UNSUBSCRIBED' : 'UNKNOWN'
}

/**
 * The newest paid transaction of an item in its present state. While the provider keeps the subscription active, its end is
 * that of the running period. That period is paid up to an hour after it started, for its invoice is a draft until then.
 * During a billing problem the end is that of the paid period.
 */
function currentPart(about: ItemState, period: PaidPeriod | null, told: ReportSource): TransactionPart {
  const { subscription, item } = about
  const isKept = isActive(subscription) && !isPaused(subscription, told)
  const expiresAt = isKept ? periodEnd(about) : paidEnd(about, period)
  if (!period) return { ...unpaidPart(about), expiresAt }
  const charged = period.part.storeProductId
  const storeProductId = awaitsChange(subscription) ? charged : item.price.id
  const isSwitched = storeProductId !== charged
  return {
    ...{ ...period.part, storeProductId, expiresAt },
    ...(isKept && hasMovedOn(item, period) && { awaitsCharge: true }),
    ...(isSwitched && { chargedStoreProductId: charged }),
  }
}

/** The provider starts the next period about an hour before it charges. */
const hasMovedOn = ({ current_period_start }: Item, { endsAt }: PaidPeriod): boolean =>
  toInstant(current_period_start) >= endsAt

const isActive = ({ status }: Subscription): boolean => status === 'active' || status === 'trialing'

/** A new price without an invoice of its own is in force at once; with one, when the invoice is paid. */
const awaitsChange = ({ latest_invoice: invoice }: Subscription): boolean =>
  typeof invoice === 'object' && invoice?.billing_reason === 'subscription_update' && isOpen(invoice.status)

const isOpen = (status: string | null): boolean => status === 'draft' || status === 'open'

/**
 * For a bank debit in progress or a bill sent by mail: the subscription is active before it is paid, so its price is not
 * known yet. An item that was added to a paid subscription has access, and its first period is charged when that starts.
 */
function unpaidPart({ subscription, item, hasPaid }: ItemState): TransactionPart {
  const { id, latest_invoice, status, start_date } = subscription
  const purchaseDate = toInstant((hasPaid ? item.created : undefined) ?? item.current_period_start)
  const ofBill = latest_invoice === null ? `${id}:${purchaseDate}` : idOf(latest_invoice)
  return {
    transactionId: hasPaid ? `${item.id}:${purchaseDate}` : ofBill,
    storeProductId: item.price.id,
    purchaseDate,
    originalPurchaseDate: toInstant(start_date),
    expiresAt: null,
    isTrial: status === 'trialing',
    isIntroOffer: false,
    offerId: null,
    price: null,
    quantity: Math.max(1, item.quantity ?? 1),
    ownershipType: 'PURCHASED',
    reason: 'PURCHASE',
    ...(hasPaid && { isUncharged: true }),
  }
}

/** End of the running period; a cancellation with an earlier date moves it. */
const periodEnd = ({ item: { current_period_end: end }, subscription: { cancel_at } }: ItemState): number =>
  toInstant(cancel_at === null ? end : Math.min(end, cancel_at))

/** An unpaid period starts where the last paid one ended. */
const paidEnd = ({ item }: ItemState, period: PaidPeriod | null): number =>
  period?.endsAt ?? toInstant(item.current_period_start)

/**
 * A cancellation with a date is one at the period's end when no further period fits before the date (flexible billing).
 */
const isEnding = ({ item, subscription: { cancel_at_period_end, cancel_at } }: ItemState): boolean =>
  cancel_at_period_end || (cancel_at !== null && cancel_at <= item.current_period_end)

function billingProblemOf(about: ItemState, period: PaidPeriod | null, told: ReportSource): RenewalPart {
  const { status } = about.subscription
  if (status === 'unpaid') return { billingTrouble: 'RETRY', gracePeriodExpiresAt: null }
  if (status !== 'past_due') return { billingTrouble: 'NONE' }
  const gracePeriodExpiresAt = paidEnd(about, period) + told.providerGraceDays * DAY
  return { billingTrouble: 'GRACE', gracePeriodExpiresAt }
}

/** The provider reports that a customer keeps access while the collection is paused. A project can decide otherwise. */
const isPaused = ({ status, pause_collection }: Subscription, { pausedCollection }: ReportSource): boolean =>
  status === 'paused' || (pause_collection !== null && pausedCollection === 'noAccess')

/** A pause starts at the end of what is paid. */
function pauseOf(about: ItemState, period: PaidPeriod | null, told: ReportSource): RenewalPart {
  const { subscription } = about
  if (!isPaused(subscription, told)) return { pausedAt: null }
  const resumesAt = subscription.pause_collection?.resumes_at ?? null
  return { pausedAt: paidEnd(about, period), autoResumeAt: resumesAt === null ? null : toInstant(resumesAt) }
}

/**
 * The price that each item will have in the next phase of the subscription's schedule, by item id; null = the same, or
 * there is no next phase. A price of which only the id is known has no amount. An item whose price is in the next phase
 * keeps it; the others take the prices that come anew, in order.
 */
export function nextPrices({ items }: Subscription, schedule: Schedule | null): Map<string, Price | null> {
  const next = nextPhase(schedule)
  const coming = next?.items.map(({ price }) => (typeof price === 'string' ? { id: price } : price)) ?? []
  const isKept = ({ price }: Item) => coming.some(({ id }) => id === price.id)
  const fresh = coming.filter(({ id }) => !items.data.some((item) => item.price.id === id))
  const changing = items.data.filter((item) => !isKept(item))
  return new Map(items.data.map((item) => [item.id, fresh[changing.indexOf(item)] ?? null]))
}

/** A schedule that was released, cancelled or completed changes nothing any more. */
function nextPhase(schedule: Schedule | null): Schedule['phases'][number] | null {
  if (schedule?.status !== 'active' || !schedule.current_phase) return null
  const { end_date } = schedule.current_phase
  return schedule.phases.find(({ start_date }) => start_date >= end_date) ?? null
}
