import type { androidpublisher_v3 } from 'googleapis/build/src/apis/androidpublisher'
import type { Money } from '../../base/lib/money'
import { addPeriod } from '../../base/lib/period'
import { toIso } from '../../base/lib/time'
import { moneyOf } from '../../stores/android/values'
import { endOf, type Item, type PlayProduct, type PlaySubscription, type SimulatedPlan, toMoney } from './android'

type Order = androidpublisher_v3.Schema$Order
type OrderLine = androidpublisher_v3.Schema$LineItem

/** What an order charged for a product, taxes included. */
export interface SimulatedCharge {
  productId: string
  total: Money
}

/** What was returned of an order. */
export interface SimulatedHistory {
  /** When the whole order was refunded; null when it was not. */
  refundedAt: number | null
  isChargeback: boolean
  parts: { at: number; amount: Money; isPending: boolean }[]
  /** The items of the order that the purchase has lost by a refund. */
  lost: Item[]
}

/** A plan ends at once; the others continue. */
export const itemRevoked = (subscription: PlaySubscription, productId: string): PlaySubscription => ({
  ...subscription,
  resource: {
    ...subscription.resource,
    lineItems: (subscription.resource.lineItems ?? []).filter((item) => item.productId !== productId),
  },
})

/** The history of an order in Google's format. */
export function orderHistory({ refundedAt, isChargeback, parts }: SimulatedHistory): Pick<Order, 'orderHistory'> {
  const refundReason = isChargeback ? 'CHARGEBACK' : 'OTHER'
  const partialRefundEvents = parts.map(({ at, amount, isPending }) => ({
    createTime: toIso(at),
    ...(isPending ? { state: 'PENDING' } : { state: 'PROCESSED_SUCCESSFULLY', processTime: toIso(at) }),
    refundDetails: { total: toMoney(amount) },
  }))
  return {
    orderHistory: {
      ...(refundedAt === null ? {} : { refundEvent: { eventTime: toIso(refundedAt), refundReason } }),
      ...(parts.length === 0 ? {} : { partialRefundEvents }),
    },
  }
}

/**
 * The lines of an order. A product without a charge of its own costs the recurring price, or nothing in a trial, and has no
 * total where the purchase has no price.
 */
export function orderLines(
  orderId: string,
  charges: readonly SimulatedCharge[],
  purchase: { subscription: PlaySubscription | undefined; product: PlayProduct | undefined; lost: readonly Item[] },
): Pick<Order, 'lineItems'> {
  const items = [...(purchase.subscription?.resource.lineItems ?? []), ...purchase.lost]
  const sold = items.filter(({ latestSuccessfulOrderId }) => latestSuccessfulOrderId === orderId).map(subscriptionLine)
  const bought = purchase.product?.resource.productLineItem?.map(({ productId }) => ({ productId: productId ?? '' }))
  const toCharged = (line: OrderLine): OrderLine => {
    const charge = charges.find(({ productId }) => productId === line.productId)
    return charge ? { ...line, total: toMoney(charge.total) } : line
  }
  return { lineItems: [...sold, ...(bought ?? [])].map(toCharged) }
}

/** What an order charged for all of its lines, without the parts that were returned; null when a line has no price. */
export function leftOfLines(
  { lineItems = [] }: Pick<Order, 'lineItems'>,
  parts: SimulatedHistory['parts'],
): Money | null {
  const totals = lineItems.map(({ total }) => moneyOf(total))
  const [first] = totals
  if (!first || totals.some((total) => total === null)) return null
  const charged = totals.reduce((sum, total) => sum + (total?.amountMicros ?? 0), 0)
  return { ...first, amountMicros: parts.reduce((left, { amount }) => left - amount.amountMicros, charged) }
}

/** The smallest amount that is charged or returned here, in micros: a cent. */
const CENT = 10_000

const inCents = (micros: number): number => Math.round(micros / CENT) * CENT

/** The part of a period that is left. */
const shareLeft = (until: number, period: string, now: number): number =>
  Math.min(1, Math.max(0, until - now) / (addPeriod(now, period) - now))

/** What the rest of the running period is worth of the products that an order pays for; null when it is worth nothing. */
export function restOf(subscription: PlaySubscription, orderId: string, left: Money | null, now: number): Money | null {
  const { plan, paidUntil, resource } = subscription
  const own = (resource.lineItems ?? []).filter(({ latestSuccessfulOrderId }) => latestSuccessfulOrderId === orderId)
  const price = own.reduce((sum, item) => sum + (moneyOf(item.autoRenewingPlan?.recurringPrice)?.amountMicros ?? 0), 0)
  const until = Math.min(paidUntil, endOf(subscription))
  const rest = inCents(price * shareLeft(until, plan.period, now))
  const amountMicros = Math.min(rest, left?.amountMicros ?? 0)
  return left && amountMicros > 0 ? { ...left, amountMicros } : null
}

/** What the rest of the running period is worth, for each order that pays for it. */
export function restsOf(
  subscription: PlaySubscription,
  leftOf: (orderId: string) => Money | null,
  now: number,
): { orderId: string; rest: Money }[] {
  const orders = new Set((subscription.resource.lineItems ?? []).map((item) => item.latestSuccessfulOrderId ?? ''))
  return [...orders].flatMap((orderId) => {
    const rest = restOf(subscription, orderId, leftOf(orderId), now)
    return rest ? [{ orderId, rest }] : []
  })
}

/** An order id in Google's format: `GPA.1234-5678-9012-34567`. `digest`: in hexadecimal digits. */
export function orderIdOf(prefix: string, digest: string): string {
  const digits = BigInt(`0x${digest}`).toString().slice(-17)
  const parts = [digits.slice(0, 4), digits.slice(4, 8), digits.slice(8, 12), digits.slice(12)]
  return `${prefix}${parts.join('-')}`
}

/** All paid orders, the first one first. */
export const ordersOf = ({ orderId, renewals }: PlaySubscription): string[] => [
  orderId,
  ...Array.from({ length: renewals }, (_, number) => `${orderId}..${number}`),
]

/**
 * What a change to a plan costs for the rest of the running period (`CHARGE_PRORATED_PRICE`): the new price of that time
 * without the old one. Google offers it only where the new plan costs more for the same time.
 */
export function proratedPrice(
  { plan, paidUntil, resource }: PlaySubscription,
  next: SimulatedPlan,
  now: number,
): Money {
  const isFree = resource.lineItems?.[0]?.offerPhase?.freeTrial !== undefined
  const before = isFree ? 0 : plan.price.amountMicros * shareLeft(paidUntil, plan.period, now)
  const after = next.price.amountMicros * shareLeft(paidUntil, next.period, now)
  return { ...next.price, amountMicros: inCents(after - before) }
}

function subscriptionLine({ productId, offerDetails, offerPhase, autoRenewingPlan }: Item): OrderLine {
  const price = autoRenewingPlan?.recurringPrice
  const total = offerPhase?.freeTrial ? { currencyCode: price?.currencyCode ?? '' } : price
  const phase = offerPhase?.freeTrial
    ? { freeTrialDetails: {} }
    : offerPhase?.prorationPeriod
      ? { prorationPeriodDetails: {} }
      : { baseDetails: {} }
  return {
    productId: productId ?? '',
    subscriptionDetails: { basePlanId: offerDetails?.basePlanId ?? '', offerPhaseDetails: phase },
    ...(total ? { total } : {}),
  }
}
