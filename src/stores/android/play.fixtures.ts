import type { androidpublisher_v3 } from 'googleapis/build/src/apis/androidpublisher'
import { DAY } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { Observation } from '../observation'
import { type AndroidSubscription, decodeSubscription, type SubscriptionItem } from './decode'
import { reportSubscription } from './observe'
import type { FetchContext } from './order'

type Resource = androidpublisher_v3.Schema$SubscriptionPurchaseV2
type Item = androidpublisher_v3.Schema$SubscriptionPurchaseLineItem
type Product = androidpublisher_v3.Schema$ProductPurchaseV2

export const START = Date.UTC(2026, 0, 1, 8)
export const day = (count: number): number => START + count * DAY
export const isoDay = (count: number): string => toIso(day(count))
export const TOKEN = 'opaque.AO-J1OxToken'
export const ORDER = 'GPA.1234-5678-9012-34567'
export const usd = (amountMicros: number) => ({ amountMicros, currency: 'USD' })
export const PRICE = usd(9_990_000)

/** A monthly line item of 9.99 USD that ends on day 30, with some members changed. */
export const item = (members: Item = {}): Item => ({
  productId: 'pro',
  expiryTime: isoDay(30),
  latestSuccessfulOrderId: ORDER,
  autoRenewingPlan: {
    autoRenewEnabled: true,
    recurringPrice: { currencyCode: 'USD', units: '9', nanos: 990_000_000 },
  },
  offerDetails: { basePlanId: 'monthly' },
  offerPhase: { basePrice: {} },
  ...members,
})

/** A purchase bought on day 0, in the given state, with some members changed. */
export const subscription = (state: string, members: Resource = {}): Resource => ({
  kind: 'androidpublisher#subscriptionPurchaseV2',
  regionCode: 'US',
  startTime: isoDay(0),
  subscriptionState: `SUBSCRIPTION_STATE_${state}`,
  acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
  lineItems: [item()],
  ...members,
})

/** A one-time purchase of one unit, bought on day 0, with some members changed. */
export const product = (members: Product = {}): Product => ({
  kind: 'androidpublisher#productPurchaseV2',
  orderId: ORDER,
  purchaseCompletionTime: isoDay(0),
  purchaseStateContext: { purchaseState: 'PURCHASED' },
  acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
  productLineItem: [{ productId: 'gems', productOfferDetails: { quantity: 1, refundableQuantity: 1 } }],
  ...members,
})

/** The decoded form of a valid resource. */
export function decoded(resource: unknown): { subscription: AndroidSubscription; item: SubscriptionItem } {
  const result = decodeSubscription(resource, TOKEN)
  if (!result.ok) throw new Error(JSON.stringify(result))
  const [first] = result.subscription.items
  if (!first) throw new Error('no line item')
  return { subscription: result.subscription, item: first }
}

/** The observations when the resource is fetched on day `at`; `context` adds what was known and what caused the fetch. */
export function fetched(resource: unknown, at: number, context: Partial<FetchContext> = {}): Observation[] {
  const { subscription: purchase, item: line } = decoded(resource)
  return reportSubscription(purchase, line, { fetchedAt: day(at), known: [], ...context })
}

/** The observations of several fetches in a row; each fetch knows the observations of those before it. */
export function observed(
  ...fetches: readonly [resource: unknown, at: number, context?: Partial<FetchContext>][]
): Observation[] {
  const known: Observation[] = []
  for (const [resource, at, context] of fetches) known.push(...fetched(resource, at, { ...context, known: [...known] }))
  return known
}
