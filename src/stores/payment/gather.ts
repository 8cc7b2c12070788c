import type Stripe from 'stripe'
import type { PaymentClient } from './client'
import type { PaymentFacts } from './decode'
import type { Subject } from './event'
import { hasUnnamedProrations } from './invoice-items'
import { PRICE_KEY } from './metadata'
import type { ProviderFailure } from './provider'
import { Charge, Invoice, idOf, type Malformed, PaymentIntent, readEach, readShape, Session } from './shapes'

/** The methods of the client that only read. */
export type PaymentReader = Pick<
  PaymentClient,
  | 'getSubscription'
  | 'getInvoice'
  | 'getSchedule'
  | 'listPaidInvoices'
  | 'listInvoiceItems'
  | 'findInvoiceOfPayment'
  | 'getCheckoutSession'
  | 'findSessionOfPayment'
  | 'getPaymentIntent'
  | 'getCharge'
  | 'listRefunds'
  | 'listCreditNotes'
>

/** `facts` null: the event is not about a sale (a card being saved). */
export type GatherResult = { ok: true; facts: PaymentFacts | null } | ProviderFailure | Malformed

/**
 * Fetches all objects that an event is about. A refund or dispute is fetched together with its sale, so that it counts
 * in whatever order events arrive.
 */
export function gatherFacts(reader: PaymentReader, subject: Subject): Promise<GatherResult> {
  switch (subject.kind) {
    case 'SUBSCRIPTION':
      return ofSubscription(reader, subject.subscriptionId)
    case 'INVOICE':
      return ofInvoice(reader, subject.invoiceId)
    case 'SESSION':
      return ofSession(reader, subject.sessionId)
    case 'PAYMENT':
      return ofPayment(reader, subject.paymentIntentId)
    case 'HELD_PAYMENT':
      return ofHeldPayment(reader, subject.paymentIntentId)
    case 'HELD_INVOICE':
      return ofHeldInvoice(reader, subject.invoiceId)
    case 'CHARGE':
      return ofCharge(reader, subject.chargeId, subject.dispute)
  }
}

const NOTHING: GatherResult = { ok: true, facts: null }

async function ofSubscription(
  reader: PaymentReader,
  id: string,
  session: unknown | null = null,
  named: unknown | null = null,
): Promise<GatherResult> {
  const subscription = await reader.getSubscription(id)
  if (!subscription.ok) return subscription
  const paid = await reader.listPaidInvoices(id)
  if (!paid.ok) return paid
  const schedule = await scheduleOf(reader, subscription.value)
  if (!schedule.ok) return schedule
  const invoices = named === null ? paid.value : [named, ...paid.value]
  const items = await itemsOfInvoices(reader, invoices)
  if (!items.ok) return items
  const about = { subscription: subscription.value, invoices, schedule: schedule.value, session }
  return { ok: true, facts: { sale: { kind: 'SUBSCRIPTION', ...about, invoiceItems: items.value }, returned: null } }
}

type Listed = { ok: true; value: readonly unknown[] } | ProviderFailure

/** The invoice items of those invoices that have prorations of which only the invoice item names the subscription's item. */
async function itemsOfInvoices(reader: PaymentReader, invoices: readonly unknown[]): Promise<Listed | Malformed> {
  const read = readEach('invoice', Invoice, invoices)
  if (!read.ok) return read
  const ids = new Set(read.value.filter(hasUnnamedProrations).map(({ id }) => id))
  const items: unknown[] = []
  for (const id of ids) {
    const answer = await reader.listInvoiceItems(id)
    // A key of few rights may not read them. Then such a line is of the item that has its price.
    if (!answer.ok && answer.reason !== 'rejected') return answer
    if (answer.ok) items.push(...answer.value)
  }
  return { ok: true, value: items }
}

type Scheduled = { ok: true; value: unknown | null } | ProviderFailure

/** The schedule of a subscription; null when it has none. */
async function scheduleOf(reader: PaymentReader, { schedule = null }: Stripe.Subscription): Promise<Scheduled> {
  const id = typeof schedule === 'string' ? schedule : schedule?.id
  if (id === undefined) return { ok: true, value: null }
  const answer = await reader.getSchedule(id)
  // A key of few rights may not read it. Then nothing is known of a later phase.
  return !answer.ok && answer.reason === 'rejected' ? { ok: true, value: null } : answer
}

async function ofInvoice(reader: PaymentReader, id: string): Promise<GatherResult> {
  const answer = await reader.getInvoice(id)
  if (!answer.ok) return answer
  const invoice = readShape('invoice', Invoice, answer.value)
  if (!invoice.ok) return invoice
  const subscription = invoice.value.parent?.subscription_details?.subscription
  return subscription === undefined
    ? ofBill(reader, invoice.value, answer.value)
    : ofSubscription(reader, idOf(subscription), null, answer.value)
}

/** An invoice of no subscription: of a checkout with an invoice, or one that the seller made. */
async function ofBill(reader: PaymentReader, { payments }: Invoice, invoice: unknown): Promise<GatherResult> {
  const paymentIntent = paidIntent(payments)
  if (paymentIntent === null) return oneTime(null, null, invoice)
  const session = await reader.findSessionOfPayment(paymentIntent)
  if (!session.ok) return session
  if (session.value === null) return oneTime(null, null, invoice)
  const intent = await reader.getPaymentIntent(paymentIntent)
  return intent.ok ? oneTime(intent.value, session.value, invoice) : intent
}

/** Id of the payment intent that paid an invoice; null when none did. */
function paidIntent(payments: Invoice['payments']): string | null {
  const paid = payments?.data.find(({ status, payment }) => status === 'paid' && payment.payment_intent !== undefined)
  return paid?.payment.payment_intent === undefined ? null : idOf(paid.payment.payment_intent)
}

/** An invoice on record. Its refunds are found through the payment that paid it. */
async function ofHeldInvoice(reader: PaymentReader, id: string): Promise<GatherResult> {
  const answer = await reader.getInvoice(id)
  if (!answer.ok) return answer
  const invoice = readShape('invoice', Invoice, answer.value)
  if (!invoice.ok) return invoice
  const paymentIntent = paidIntent(invoice.value.payments)
  return paymentIntent === null ? ofInvoice(reader, id) : ofHeldPayment(reader, paymentIntent)
}

async function ofSession(reader: PaymentReader, id: string): Promise<GatherResult> {
  const answer = await reader.getCheckoutSession(id)
  if (!answer.ok) return answer
  const session = readShape('session', Session, answer.value)
  if (!session.ok) return session
  const { mode, subscription, payment_intent } = session.value
  if (mode === 'subscription') return subscription ? ofSubscription(reader, idOf(subscription), answer.value) : NOTHING
  if (mode !== 'payment') return NOTHING
  if (payment_intent === null) return oneTime(null, answer.value)
  const intent = await reader.getPaymentIntent(idOf(payment_intent))
  return intent.ok ? oneTime(intent.value, answer.value) : intent
}

/** `hasNoInvoice`: the caller has looked for the invoice that it paid. */
async function ofPayment(reader: PaymentReader, id: string, hasNoInvoice = false): Promise<GatherResult> {
  const intent = await reader.getPaymentIntent(id)
  if (!intent.ok) return intent
  const session = await reader.findSessionOfPayment(id)
  if (!session.ok) return session
  const payment = readShape('payment_intent', PaymentIntent, intent.value)
  if (!payment.ok) return payment
  if (session.value !== null || payment.value.metadata[PRICE_KEY]) return oneTime(intent.value, session.value)
  const invoice = hasNoInvoice ? { ok: true as const, value: null } : await reader.findInvoiceOfPayment(id)
  // A key of few rights may not look for it. Then the payment may be that of an invoice.
  if (!invoice.ok && invoice.reason !== 'rejected') return invoice
  return oneTime(intent.value, null, null, invoice.ok && invoice.value === null)
}

/** A payment on record. Its refunds are found through the charge that paid it. */
async function ofHeldPayment(reader: PaymentReader, id: string): Promise<GatherResult> {
  const answer = await reader.getPaymentIntent(id)
  if (!answer.ok) return answer
  const intent = readShape('payment_intent', PaymentIntent, answer.value)
  if (!intent.ok) return intent
  const { latest_charge } = intent.value
  return latest_charge === null ? ofPayment(reader, id) : ofCharge(reader, idOf(latest_charge), null)
}

const oneTime = (
  paymentIntent: unknown | null,
  session: unknown | null,
  invoice: unknown | null = null,
  isBare = false,
): GatherResult => ({
  ok: true,
  facts: { sale: { kind: 'ONE_TIME', paymentIntent, session, invoice, ...(isBare && { isBare }) }, returned: null },
})

async function ofCharge(reader: PaymentReader, id: string, dispute: unknown | null): Promise<GatherResult> {
  const answer = await reader.getCharge(id)
  if (!answer.ok) return answer
  const charge = readShape('charge', Charge, answer.value)
  if (!charge.ok) return charge
  if (charge.value.payment_intent === null) return NOTHING
  const refunds = await reader.listRefunds(id)
  if (!refunds.ok) return refunds
  const returned = { charge: answer.value, refunds: refunds.value, dispute }
  return withSale(reader, idOf(charge.value.payment_intent), returned)
}

type Returned = Omit<NonNullable<PaymentFacts['returned']>, 'invoiceId' | 'creditNotes'>

async function withSale(reader: PaymentReader, paymentIntent: string, returned: Returned): Promise<GatherResult> {
  const invoice = await reader.findInvoiceOfPayment(paymentIntent)
  if (!invoice.ok) return invoice
  const invoiceId = invoice.value
  const sale = await (invoiceId === null ? ofPayment(reader, paymentIntent, true) : ofInvoice(reader, invoiceId))
  if (!sale.ok || !sale.facts) return sale
  const creditNotes = await notesOf(reader, returned, invoiceId)
  if (!creditNotes.ok) return creditNotes
  return { ok: true, facts: { ...sale.facts, returned: { ...returned, invoiceId, creditNotes: creditNotes.value } } }
}

/** The credit notes that may belong to the refunds. */
async function notesOf(reader: PaymentReader, { refunds }: Returned, invoiceId: string | null): Promise<Listed> {
  if (invoiceId === null || refunds.length === 0) return { ok: true, value: [] }
  const answer = await reader.listCreditNotes(invoiceId)
  // A key of few rights may not read them. Then a refund is divided among all lines.
  return !answer.ok && answer.reason === 'rejected' ? { ok: true, value: [] } : answer
}
