import type { Observation, PurchaseEnvironment } from '../observation'
import { fromSmallestUnit } from './currency'
import { type PurchaseMetadata, readMetadata } from './metadata'
import { readOneTime } from './one-time'
import { disputeMarkers, refundMarkers } from './returns'
import {
  Charge,
  Dispute,
  Invoice,
  idOf,
  type Malformed,
  PaymentIntent,
  Refund,
  readEach,
  readOptional,
  readShape,
  Session,
  Subscription,
} from './shapes'
import { type ReportSource, subscriptionReports } from './subscription'

/** A subscription and its invoices. Unpaid invoices and those of another subscription are ignored. */
export interface SubscriptionFacts {
  kind: 'SUBSCRIPTION'
  subscription: unknown
  invoices: readonly unknown[]
  session: unknown | null
}

/** A payment for a one-time product; at least one of the two is present. */
export interface OneTimeFacts {
  kind: 'ONE_TIME'
  paymentIntent: unknown | null
  session: unknown | null
}

/** Refunds and disputes of a charge of the sale. */
export interface ReturnFacts {
  charge: unknown
  refunds: readonly unknown[]
  /** The dispute as the event has it. A fetched one may already show the outcome of a later appeal. */
  dispute: unknown | null
  /** The invoice that the charge paid; null for a one-time payment. */
  invoiceId: string | null
}

/** The provider's objects that an event is about, fetched at the pinned API version. */
export interface PaymentFacts {
  sale: SubscriptionFacts | OneTimeFacts
  returned: ReturnFacts | null
}

/** One purchase at the provider, with its observations. */
export interface DecodedPayment {
  /** The subscription id, or the payment-intent id of a one-time purchase (wire 4.2). */
  chainKey: string
  isSubscription: boolean
  /** The price id. A product has it as its `payment` store id. */
  storeProductId: string
  environment: PurchaseEnvironment
  customerId: string | null
  /** The subscriber or device that the checkout was made for. */
  owner: PurchaseMetadata
  /** All metadata that the seller or the checkout wrote. A funnel finds its session in it. */
  metadata: Readonly<Record<string, string>>
  observations: Observation[]
}

/**
 * `malformed`: the first member of the named object that is missing, of a wrong type or out of range. `ignored`: no
 * purchase yet, since it is not paid or names no price.
 */
export type DecodeResult =
  | { ok: true; purchase: DecodedPayment }
  | Malformed
  | { ok: false; reason: 'ignored'; why: 'unpaid' | 'no_product' }

/** Reads objects from the provider's API. */
export function decodePayment({ sale, returned }: PaymentFacts, told: ReportSource): DecodeResult {
  const decoded = sale.kind === 'SUBSCRIPTION' ? decodeSubscription(sale, told) : decodeOneTime(sale)
  return decoded.ok && returned ? withReturns(decoded.purchase, returned, told) : decoded
}

function decodeSubscription(facts: SubscriptionFacts, told: ReportSource): DecodeResult {
  const subscription = readShape('subscription', Subscription, facts.subscription)
  const invoices = readEach('invoice', Invoice, facts.invoices)
  const session = readOptional('session', Session, facts.session)
  if (!subscription.ok) return subscription
  if (!invoices.ok) return invoices
  if (!session.ok) return session
  const observations = subscriptionReports(subscription.value, invoices.value, told)
  if (observations.length === 0) return ignored('unpaid')
  const { id, livemode, customer, metadata, items } = subscription.value
  return toPurchase({
    chainKey: id,
    isSubscription: true,
    storeProductId: items.data[0]?.price.id ?? '',
    environment: livemode ? 'PRODUCTION' : 'SANDBOX',
    customerId: idOf(customer),
    metadata: { ...session.value?.metadata, ...metadata },
    observations,
  })
}

function decodeOneTime(facts: OneTimeFacts): DecodeResult {
  const intent = readOptional('payment_intent', PaymentIntent, facts.paymentIntent)
  const session = readOptional('session', Session, facts.session)
  if (!intent.ok) return intent
  if (!session.ok) return session
  const result = readOneTime(intent.value, session.value)
  if (!result.ok) return ignored(result.reason)
  const customer = intent.value?.customer ?? session.value?.customer ?? null
  return toPurchase({
    chainKey: result.chainKey,
    isSubscription: false,
    storeProductId: result.storeProductId,
    environment: (intent.value ?? session.value)?.livemode ? 'PRODUCTION' : 'SANDBOX',
    customerId: customer && idOf(customer),
    metadata: { ...session.value?.metadata, ...intent.value?.metadata },
    observations: [result.report],
  })
}

const toPurchase = (members: Omit<DecodedPayment, 'owner'>): DecodeResult => ({
  ok: true,
  purchase: { ...members, owner: readMetadata(members.metadata) },
})

function withReturns(purchase: DecodedPayment, facts: ReturnFacts, { eventAt }: ReportSource): DecodeResult {
  const charge = readShape('charge', Charge, facts.charge)
  const refunds = readEach('refund', Refund, facts.refunds)
  const dispute = readOptional('dispute', Dispute, facts.dispute)
  if (!charge.ok) return charge
  if (!refunds.ok) return refunds
  if (!dispute.ok) return dispute
  const transactionId = purchase.isSubscription ? facts.invoiceId : purchase.chainKey
  if (transactionId === null) return { ok: true, purchase }
  const isWhole = paysAll(charge.value, transactionId, purchase.observations)
  const paid = { charge: charge.value, transactionId, isWhole, eventAt }
  const disputed = dispute.value ? disputeMarkers(paid, dispute.value, refunds.value) : []
  const observations = [...purchase.observations, ...refundMarkers(paid, refunds.value), ...disputed]
  return { ok: true, purchase: { ...purchase, observations } }
}

/** Whether a charge paid the whole price of a transaction. An invoice can be paid in parts. */
function paysAll({ amount, currency }: Charge, transactionId: string, observations: readonly Observation[]): boolean {
  const report = observations.find((one) => one.kind === 'REPORT' && one.transaction?.transactionId === transactionId)
  const price = report?.kind === 'REPORT' ? report.transaction?.price : null
  const charged = fromSmallestUnit(amount, currency)
  return !price || !charged || charged.currency !== price.currency || charged.amountMicros >= price.amountMicros
}

const ignored = (why: 'unpaid' | 'no_product'): DecodeResult => ({ ok: false, reason: 'ignored', why })
