import type { androidpublisher_v3 } from 'googleapis/build/src/apis/androidpublisher'
import type { Money } from '../../base/lib/money'
import { toIso } from '../../base/lib/time'
import { type Item, type PlayProduct, type PlaySubscription, toMoney } from './android'

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

/** A plan ends at once; the others go on. */
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
