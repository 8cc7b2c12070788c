import { DAY } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { addPeriod, isPeriod } from '../../base/lib/period'
import type { Adjustment, Observation, TransactionPart } from '../observation'
import type { AndroidSubscription, SubscriptionItem } from './decode'
import type { PaidOrder } from './paid-order'

/** The circumstances of a fetch that are not part of Google's answer. Instants are milliseconds UTC. */
export interface FetchContext {
  /** When Google answered; this becomes the event time of the report. */
  fetchedAt: number
  /** All stored observations of the purchase (its token); empty when it is new. */
  known: readonly Observation[]
  /** Event time of the notification about a charge that caused the fetch, if one did. */
  chargedAt?: number | null
  /** Event time of the notification about the revocation that caused the fetch, if one did. */
  revokedAt?: number | null
  /** Length of the base plan's period in the project's catalogue: `P1M`. */
  period?: string | null
  /** The order of the first charge of the purchase. A product that was added later has an order of its own. */
  firstOrderId?: string | null
  /** The order of the item, where Google reported it. */
  order?: PaidOrder | null
}

/** Google's own order id, or a substitute for a purchase that has none (promotions, for example). */
export const orderIdOf = (orderId: string | null, purchaseToken: string): string =>
  orderId ?? `${STAND_IN}${sha256Hex(purchaseToken).slice(0, 32)}`

const STAND_IN = 'android:'

/** Whether the id is Google's own and not a substitute. */
export const isOrderId = (transactionId: string): boolean => !transactionId.startsWith(STAND_IN)

/**
 * What the newest report says about a transaction, with the newest known price, by the same rule as the fold. An order
 * may have paid for several products; reports about another product are not used.
 */
export function knownPart(
  known: readonly Observation[],
  { transactionId, storeProductId }: Pick<TransactionPart, 'transactionId' | 'storeProductId'>,
): TransactionPart | null {
  const parts = partsOf(known)
    .filter(({ part }) => part.transactionId === transactionId && part.storeProductId === storeProductId)
    .toSorted((a, b) => a.eventAt - b.eventAt)
  const part = parts.at(-1)?.part
  const price = parts.findLast(({ part: one }) => one.price)?.part.price ?? null
  return part ? { ...part, price } : null
}

/** What the newest report states that an order charged within a period; null when none says it. */
export function knownAdjustment(
  known: readonly Observation[],
  { transactionId, storeProductId }: Pick<TransactionPart, 'transactionId' | 'storeProductId'>,
): Adjustment | null {
  const told = known
    .toSorted((a, b) => a.eventAt - b.eventAt)
    .flatMap((one) => (one.kind === 'REPORT' && one.adjustment ? [one.adjustment] : []))
  return told.findLast((one) => one.transactionId === transactionId && one.storeProductId === storeProductId) ?? null
}

/**
 * When an order started. Google gives a date for the first order only (`startTime`), and numbers the renewals `..0`,
 * `..1`, ... The start of a renewal is taken from the best source there is: the notification of the charge; else one
 * period before the end; else its place if all periods were equal (start 0, end 90, order `..1`: the third of three, so
 * 60). The result is never after the fetch and always between the known orders before and after it, so that their order
 * is kept.
 */
export function purchaseDateOf(
  transactionId: string,
  subscription: AndroidSubscription,
  item: SubscriptionItem,
  context: FetchContext,
): number {
  const { startedAt } = subscription
  const { base, number } = splitOrderId(transactionId)
  if (number === 0) return isFirst(base, context) ? startedAt : addedAt(startedAt, context)
  const renewals = partsOf(context.known).map(({ part }) => ({ ...splitOrderId(part.transactionId), part }))
  const dated = renewals.filter((other) => other.base === base)
  const after = dated.filter((other) => other.number < number).map(({ part }) => part.purchaseDate + 1)
  const before = dated.filter((other) => other.number > number).map(({ part }) => part.purchaseDate - 1)
  const evenly = startedAt + Math.round(((item.expiresAt - startedAt) * number) / (number + 1))
  const guess = context.chargedAt ?? onePeriodBefore(subscription, item, context) ?? evenly
  return Math.max(Math.min(guess, context.fetchedAt, ...before), startedAt, ...after)
}

function isFirst(base: string, { firstOrderId }: FetchContext): boolean {
  return !firstOrderId || splitOrderId(firstOrderId).base === base
}

/** Google does not date the order of a product that was added to a subscription, so it is the fetch that first shows it. */
const addedAt = (startedAt: number, { chargedAt, fetchedAt }: FetchContext): number =>
  Math.max(startedAt, Math.min(chargedAt ?? fetchedAt, fetchedAt))

/** `GPA.1` is the first order (number 0), `GPA.1..0` its first renewal (number 1). */
export function splitOrderId(orderId: string): { base: string; number: number } {
  const [, base = orderId, renewal] = /^(.+)\.\.(\d{1,9})$/.exec(orderId) ?? []
  return { base, number: renewal === undefined ? 0 : Number(renewal) + 1 }
}

/**
 * Null when the period is unknown, or when this item has another one (another phase, or the short period of a test
 * purchase).
 */
function onePeriodBefore(
  { state, startedAt }: AndroidSubscription,
  { expiresAt, phase }: SubscriptionItem,
  { period, fetchedAt }: FetchContext,
): number | null {
  const isOther = phase !== null && phase !== 'BASE'
  // During a billing problem the end is that of the grace period.
  if (!period || !isPeriod(period) || isOther || state === 'IN_GRACE_PERIOD' || state === 'ON_HOLD') return null
  // One day at a time, for months differ in length: 31 March less a month is 28 February.
  let start = expiresAt
  while (start > startedAt && addPeriod(start, period) > expiresAt) start -= DAY
  return start > startedAt && start <= fetchedAt ? start : null
}

const partsOf = (known: readonly Observation[]): { part: TransactionPart; eventAt: number }[] =>
  known.flatMap((one) =>
    one.kind === 'REPORT' && one.transaction ? [{ part: one.transaction, eventAt: one.eventAt }] : [],
  )
