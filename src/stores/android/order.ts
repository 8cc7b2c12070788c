import { DAY } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { addPeriod, isPeriod } from '../../base/lib/period'
import type { Observation, TransactionPart } from '../observation'
import type { AndroidSubscription, SubscriptionItem } from './decode'

/** The circumstances of a fetch that the answer itself does not tell. Instants are milliseconds UTC. */
export interface Sight {
  /** When Google answered: the event time of the report. */
  fetchedAt: number
  /** Everything kept of the purchase (its token) so far; empty when it is new. */
  known: readonly Observation[]
  /** Event time of the notification that told of a charge, when one caused the fetch. */
  chargedAt?: number | null
  /** Event time of the notification that told of the revocation, when one caused the fetch. */
  revokedAt?: number | null
  /** Length of the base plan's period by the project's catalogue: `P1M`. */
  period?: string | null
}

/** Google's own order id, or a stand-in for a purchase that has none (promotions, for example). */
export const orderIdOf = (orderId: string | null, purchaseToken: string): string =>
  orderId ?? `${STAND_IN}${sha256Hex(purchaseToken).slice(0, 32)}`

const STAND_IN = 'android:'

/** Whether Google knows an order of that id. */
export const isOrderId = (transactionId: string): boolean => !transactionId.startsWith(STAND_IN)

/**
 * What the newest report told of a transaction, with the newest price told: as the fold reads them. An order may have
 * paid for several products; what was told of another one is not taken for this one's.
 */
export function knownPart(
  known: readonly Observation[],
  { transactionId, storeProductId }: Pick<TransactionPart, 'transactionId' | 'storeProductId'>,
): TransactionPart | null {
  const told = partsOf(known)
    .filter(({ part }) => part.transactionId === transactionId && part.storeProductId === storeProductId)
    .toSorted((a, b) => a.eventAt - b.eventAt)
  const part = told.at(-1)?.part
  const price = told.findLast(({ part: one }) => one.price)?.part.price ?? null
  return part ? { ...part, price } : null
}

/**
 * When an order began. Google dates the first one only (`startTime`), and numbers the renewals `..0`, `..1`, ... So a
 * renewal began, by the best of what is known: when a notification told of the charge; one period before the end;
 * else where it would stand if all periods were equal (start 0, end 90, order `..1`: the third of three, so 60).
 * Never after the fetch, and always between the orders known before and after it, so that they keep their order.
 */
export function purchaseDateOf(
  transactionId: string,
  subscription: AndroidSubscription,
  item: SubscriptionItem,
  sight: Sight,
): number {
  const { startedAt } = subscription
  const { base, number } = splitOrderId(transactionId)
  if (number === 0) return startedAt
  const renewals = partsOf(sight.known).map(({ part }) => ({ ...splitOrderId(part.transactionId), part }))
  const dated = renewals.filter((other) => other.base === base)
  const after = dated.filter((other) => other.number < number).map(({ part }) => part.purchaseDate + 1)
  const before = dated.filter((other) => other.number > number).map(({ part }) => part.purchaseDate - 1)
  const evenly = startedAt + Math.round(((item.expiresAt - startedAt) * number) / (number + 1))
  const guess = sight.chargedAt ?? onePeriodBefore(subscription, item, sight) ?? evenly
  return Math.max(Math.min(guess, sight.fetchedAt, ...before), startedAt, ...after)
}

/** `GPA.1` is the first order (number 0), `GPA.1..0` its first renewal (number 1). */
export function splitOrderId(orderId: string): { base: string; number: number } {
  const [, base = orderId, renewal] = /^(.+)\.\.(\d{1,9})$/.exec(orderId) ?? []
  return { base, number: renewal === undefined ? 0 : Number(renewal) + 1 }
}

/** Null when the period is unknown, or is not that of this item (another phase, a test purchase's short one). */
function onePeriodBefore(
  { state, startedAt }: AndroidSubscription,
  { expiresAt, phase }: SubscriptionItem,
  { period, fetchedAt }: Sight,
): number | null {
  const isOther = phase !== null && phase !== 'BASE'
  // In trouble the end is that of the grace period.
  if (!period || !isPeriod(period) || isOther || state === 'IN_GRACE_PERIOD' || state === 'ON_HOLD') return null
  // Day by day, for months differ: 31 March less a month is 28 February.
  let start = expiresAt
  while (start > startedAt && addPeriod(start, period) > expiresAt) start -= DAY
  return start > startedAt && start <= fetchedAt ? start : null
}

const partsOf = (known: readonly Observation[]): { part: TransactionPart; eventAt: number }[] =>
  known.flatMap((one) =>
    one.kind === 'REPORT' && one.transaction ? [{ part: one.transaction, eventAt: one.eventAt }] : [],
  )
