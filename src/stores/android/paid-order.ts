import { Value } from '@sinclair/typebox/value'
import type { Money } from '../../base/lib/money'
import type { OfferPhase } from './decode'
import { type OrderRefunds, readRefunds } from './order-history'
import { type MoneyResource, OrderResource } from './resource'
import { firstProblem, instantOf, type Malformed, malformed, moneyOf } from './values'

/** What an order states about one product that it paid for. */
export interface PaidProduct {
  /** What the buyer paid for it, with taxes and after discounts; null when the order does not say. */
  total: Money | null
  /** What the order pays for; null when the order does not say. */
  phase: OfferPhase | null
}

/** An order, as `orders.get` describes it. */
export interface PaidOrder {
  /** Milliseconds UTC; null when the order does not say. */
  createdAt: number | null
  /** By Google's product id, without the base plan. */
  products: ReadonlyMap<string, PaidProduct>
  refunds: OrderRefunds
}

export type PaidOrderResult = { ok: true; order: PaidOrder } | Malformed

/**
 * Reads an Order, Google's answer about the order of a purchase. Several lines of one product are one. An order of
 * another purchase is refused, so that its money is counted nowhere.
 */
export function decodePaidOrder(
  resource: unknown,
  { orderId, purchaseToken }: { orderId: string; purchaseToken: string },
): PaidOrderResult {
  if (!Value.Check(OrderResource, resource)) return malformed(firstProblem(OrderResource, resource))
  if (resource.orderId && resource.orderId !== orderId) return malformed('orderId')
  if (resource.purchaseToken && resource.purchaseToken !== purchaseToken) return malformed('purchaseToken')
  const groups = Map.groupBy(resource.lineItems ?? [], ({ productId }) => productId)
  // Only the order as a whole may have a total. It is that of its product when there is one.
  const whole = groups.size === 1 ? totalOf(resource.total) : null
  const products = new Map([...groups].map(([productId, lines]) => [productId, toProduct(lines, whole)]))
  return { ok: true, order: { createdAt: instantOf(resource.createTime), products, refunds: readRefunds(resource) } }
}

type Line = NonNullable<OrderResource['lineItems']>[number]

const toProduct = (lines: readonly Line[], whole: Money | null): PaidProduct => ({
  total: sumOf(lines.map(({ total }) => totalOf(total))) ?? whole,
  phase: phaseOfLines(lines.map(phaseOf)),
})

/** Null when one of them is unknown or they are in different currencies. */
function sumOf(totals: readonly (Money | null)[]): Money | null {
  const known = totals.filter((total) => total !== null)
  const [first] = known
  if (!first || known.length < totals.length || known.some(({ currency }) => currency !== first.currency)) return null
  const amountMicros = known.reduce((sum, total) => sum + total.amountMicros, 0)
  return Number.isSafeInteger(amountMicros) ? { ...first, amountMicros } : null
}

/** An amount of zero has a currency and, in protobuf's JSON, neither units nor nanos. */
function totalOf(money: MoneyResource | null | undefined): Money | null {
  const isZero = money?.currencyCode && (money.units ?? null) === null && (money.nanos ?? null) === null
  return moneyOf(isZero ? { ...money, units: 0 } : money)
}

/** A full period decides, whatever else the order charged for the product. */
function phaseOfLines(phases: readonly (OfferPhase | null)[]): OfferPhase | null {
  const [first = null] = phases
  return phases.find((phase) => phase === 'BASE') ?? first
}

function phaseOf({ subscriptionDetails }: Line): OfferPhase | null {
  const details = subscriptionDetails?.offerPhaseDetails
  if (details?.freeTrialDetails) return 'FREE_TRIAL'
  if (details?.introductoryPriceDetails) return 'INTRODUCTORY'
  if (details?.prorationPeriodDetails) return 'PRORATION'
  return details?.baseDetails ? 'BASE' : null
}
