import type { PurchaseEnvironment } from '../observation'
import { readNamedRefunds } from './credit-notes'
import type { DecodedLine } from './decoded-line'
import { itemsOfLines } from './invoice'
import { readItemNames } from './invoice-items'
import { type PurchaseMetadata, readMetadata } from './metadata'
import { keysOfLines, readOneTime } from './one-time'
import { markLines, paysAll } from './return-shares'
import { disputeMarkers, refundMarkers } from './returns'
import {
  Charge,
  CreditNote,
  Dispute,
  Invoice,
  InvoiceItem,
  idOf,
  type Malformed,
  PaymentIntent,
  Refund,
  readEach,
  readOptional,
  readShape,
  Schedule,
  Session,
  Subscription,
} from './shapes'
import { type ReportSource, subscriptionReports } from './subscription'

/** A subscription and its invoices. Unpaid invoices and those of another subscription are ignored. */
export interface SubscriptionFacts {
  kind: 'SUBSCRIPTION'
  subscription: unknown
  invoices: readonly unknown[]
  /** The invoice items of those invoices; they name the items of lines that do not. */
  invoiceItems: readonly unknown[]
  /** What the subscription will be from a later date; null when no schedule is attached. */
  schedule: unknown | null
  session: unknown | null
}

/** A payment for a one-time product; at least one of the three is present. */
export interface OneTimeFacts {
  kind: 'ONE_TIME'
  paymentIntent: unknown | null
  session: unknown | null
  /** The invoice, where the sale was found by it. */
  invoice: unknown | null
  /** Whether the payment has neither a checkout nor an invoice. */
  isBare?: boolean
}

/** Refunds and disputes of a charge of the sale. */
export interface ReturnFacts {
  charge: unknown
  refunds: readonly unknown[]
  /** The dispute as the event has it. A fetched one may already show the outcome of a later appeal. */
  dispute: unknown | null
  /** The invoice that the charge paid; null for a one-time payment. */
  invoiceId: string | null
  /** The credit notes of that invoice. */
  creditNotes: readonly unknown[]
}

/** The provider's objects that an event is about, fetched at the pinned API version. */
export interface PaymentFacts {
  sale: SubscriptionFacts | OneTimeFacts
  returned: ReturnFacts | null
}

/** One purchase at the provider. */
export interface DecodedPayment {
  /** The subscription id, or of a one-time purchase the id of its payment intent, free checkout or invoice (wire 4.2). */
  chainKey: string
  isSubscription: boolean
  /** At least one. */
  lines: DecodedLine[]
  /** When the provider answered. */
  fetchedAt: number
  environment: PurchaseEnvironment
  customerId: string | null
  /** The subscriber or device that the checkout was made for. */
  owner: PurchaseMetadata
  /** All metadata that the seller or the checkout wrote. A funnel finds its session in it. */
  metadata: Readonly<Record<string, string>>
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
  const decoded = sale.kind === 'SUBSCRIPTION' ? decodeSubscription(sale, told) : decodeOneTime(sale, told)
  if (!decoded.ok) return decoded
  const { keyOf, ...result } = decoded
  return returned ? withReturns(decoded.purchase, returned, told, keyOf) : result
}

/** `keyOf`: the key of the line that a line of an invoice is about, by the id of the invoice's line. */
type Decoded = Exclude<DecodeResult, { ok: true }> | { ok: true; purchase: DecodedPayment; keyOf: LineKeys }
type LineKeys = ReadonlyMap<string, string>

function decodeSubscription(facts: SubscriptionFacts, told: ReportSource): Decoded {
  const subscription = readShape('subscription', Subscription, facts.subscription)
  const invoices = readEach('invoice', Invoice, facts.invoices)
  const invoiceItems = readEach('invoiceitem', InvoiceItem, facts.invoiceItems)
  const schedule = readOptional('schedule', Schedule, facts.schedule)
  const session = readOptional('session', Session, facts.session)
  if (!subscription.ok) return subscription
  if (!invoices.ok) return invoices
  if (!invoiceItems.ok) return invoiceItems
  if (!schedule.ok) return schedule
  if (!session.ok) return session
  const names = readItemNames(invoiceItems.value)
  const items = subscriptionReports(subscription.value, invoices.value, names, schedule.value, told)
  if (items.length === 0) return ignored('unpaid')
  const { id, livemode, customer, metadata } = subscription.value
  const keyOf = new Map(invoices.value.flatMap((invoice) => itemsOfLines(invoice, subscription.value, names)))
  return toPurchase(keyOf, {
    chainKey: id,
    isSubscription: true,
    lines: items.map(({ reports, ...line }) => ({ ...line, observations: reports })),
    fetchedAt: told.fetchedAt,
    environment: livemode ? 'PRODUCTION' : 'SANDBOX',
    customerId: idOf(customer),
    metadata: { ...session.value?.metadata, ...metadata },
  })
}

function decodeOneTime(facts: OneTimeFacts, { fetchedAt }: ReportSource): Decoded {
  const intent = readOptional('payment_intent', PaymentIntent, facts.paymentIntent)
  const session = readOptional('session', Session, facts.session)
  const invoice = readOptional('invoice', Invoice, facts.invoice)
  if (!intent.ok) return intent
  if (!session.ok) return session
  if (!invoice.ok) return invoice
  const result = readOneTime({
    ...{ intent: intent.value, session: session.value, invoice: invoice.value },
    isBare: facts.isBare ?? false,
  })
  if (!result.ok) return ignored(result.reason)
  const customer = intent.value?.customer ?? session.value?.customer ?? invoice.value?.customer ?? null
  return toPurchase(new Map(keysOfLines(invoice.value, result.lines)), {
    chainKey: result.chainKey,
    isSubscription: false,
    lines: result.lines.map(({ report, ...line }) => ({ ...line, isPresent: true, observations: [report] })),
    fetchedAt,
    environment: (intent.value ?? session.value ?? invoice.value)?.livemode ? 'PRODUCTION' : 'SANDBOX',
    customerId: customer && idOf(customer),
    metadata: { ...invoice.value?.metadata, ...session.value?.metadata, ...intent.value?.metadata },
  })
}

const toPurchase = (keyOf: LineKeys, members: Omit<DecodedPayment, 'owner'>): Decoded => ({
  ok: true,
  purchase: { ...members, owner: readMetadata(members.metadata) },
  keyOf,
})

function withReturns(
  purchase: DecodedPayment,
  facts: ReturnFacts,
  { eventAt }: ReportSource,
  keyOf: LineKeys,
): DecodeResult {
  const charge = readShape('charge', Charge, facts.charge)
  const refunds = readEach('refund', Refund, facts.refunds)
  const notes = readEach('credit_note', CreditNote, facts.creditNotes)
  const dispute = readOptional('dispute', Dispute, facts.dispute)
  if (!charge.ok) return charge
  if (!refunds.ok) return refunds
  if (!notes.ok) return notes
  if (!dispute.ok) return dispute
  const transactionId = purchase.isSubscription ? facts.invoiceId : purchase.chainKey
  if (transactionId === null) return { ok: true, purchase }
  const isWhole = paysAll(charge.value, transactionId, purchase.lines)
  const paid = { charge: charge.value, transactionId, isWhole, eventAt }
  const disputed = dispute.value ? disputeMarkers(paid, dispute.value, refunds.value) : []
  const markers = [...refundMarkers(paid, refunds.value), ...disputed]
  const named = readNamedRefunds(notes.value, refunds.value, keyOf)
  return { ok: true, purchase: { ...purchase, lines: markLines(purchase.lines, paid, markers, named) } }
}

const ignored = (why: 'unpaid' | 'no_product') => ({ ok: false, reason: 'ignored', why }) as const
