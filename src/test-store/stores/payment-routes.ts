import type Stripe from 'stripe'
import { addCustomer } from './payment-billing'
import { openCheckout, openPortal } from './payment-checkout'
import { createDomain, listDomains, updateDomain, validateDomain } from './payment-domain-routes'
import { type Answer, type Form, textAt, textsAt } from './payment-form'
import { cancelPayment, createIntent, createSubscription, endSubscription, listCodes } from './payment-intent-routes'
import { refundCharge } from './payment-returns'
import { cancelAtPeriodEnd, undoCancel } from './payment-turns'
import type { PaymentWorld, SimulatedEvent } from './payment-world'

type Handler = (world: PaymentWorld, form: Form, id: string) => Answer

/** Answers a request to the provider's API. */
export function answerRequest(world: PaymentWorld, method: string, path: string, form: Form): Answer {
  for (const [verb, pattern, handler] of ROUTES) {
    const match = verb === method ? pattern.exec(path) : null
    if (match) return handler(world, form, decodeURIComponent(match[1] ?? ''))
  }
  return { status: 404, type: 'invalid_request_error', code: 'unknown_route' }
}

const MISSING: Answer = { status: 404, type: 'invalid_request_error', code: 'resource_missing' }

const found = (object: object | undefined): Answer => (object ? { object } : MISSING)

const one =
  (objectsOf: (world: PaymentWorld) => ReadonlyMap<string, object>): Handler =>
  (world, _form, id) =>
    found(objectsOf(world).get(id))

type Item = { id: string }

/** One page, newest first like the provider's lists. */
function list<Kind extends Item>(form: Form, items: Iterable<Kind>, isWanted: (item: Kind) => boolean): Answer {
  return { object: pageOf([...items].filter(isWanted).reverse(), form) }
}

function pageOf<Kind extends Item>(items: readonly Kind[], form: Form) {
  const limit = Number(textAt(form, 'limit') ?? 10)
  const after = items.findIndex(({ id }) => id === textAt(form, 'starting_after'))
  const rest = items.slice(after + 1)
  return { object: 'list' as const, data: rest.slice(0, limit), has_more: rest.length > limit, url: '/v1' }
}

/** An invoice with its first ten lines only. */
const brief = (invoice: Stripe.Invoice): Stripe.Invoice => ({ ...invoice, lines: pageOf(invoice.lines.data, {}) })

const getInvoice: Handler = (world, _form, id) => {
  const invoice = world.invoices.get(id)
  return found(invoice && brief(invoice))
}

const getItem: Handler = (world, _form, id) =>
  found([...world.subscriptions.values()].flatMap(({ items }) => items.data).find((item) => item.id === id))

const listInvoices: Handler = (world, form) =>
  list(form, [...world.invoices.values()].map(brief), (invoice) => {
    const status = textAt(form, 'status')
    const isOfStatus = status === null || invoice.status === status
    return isOfStatus && invoice.parent?.subscription_details?.subscription === textAt(form, 'subscription')
  })

const listLines: Handler = (world, form, id) => {
  const invoice = world.invoices.get(id)
  return found(invoice && pageOf(invoice.lines.data, form))
}

const listInvoiceItems: Handler = (world, form) =>
  list(form, world.invoiceItems.values(), ({ invoice }) => invoice === textAt(form, 'invoice'))

const listPayments: Handler = (world, form) =>
  list(
    form,
    world.invoicePayments.values(),
    ({ payment }) => payment.payment_intent === textAt(form, 'payment', 'payment_intent'),
  )

const listSessions: Handler = (world, form) =>
  list(form, world.sessions.values(), (session) => session.payment_intent === textAt(form, 'payment_intent'))

const listRefunds: Handler = (world, form) =>
  list(form, world.refunds.values(), ({ charge }) => charge === textAt(form, 'charge'))

const listCreditNotes: Handler = (world, form) =>
  list(form, [...world.creditNotes.values()].map(briefNote), ({ invoice }) => invoice === textAt(form, 'invoice'))

/** A credit note with its first ten lines only. */
const briefNote = (note: Stripe.CreditNote): Stripe.CreditNote => ({ ...note, lines: pageOf(note.lines.data, {}) })

const listCredits: Handler = (world, form, id) => {
  const note = world.creditNotes.get(id)
  return found(note && pageOf(note.lines.data, form))
}

/** The newest first. The events of a connected account do not repeat its id. */
const listEvents: Handler = (world, form) => {
  const types = Object.values(textsAt(form, 'types'))
  const [from, to] = [textAt(form, 'created', 'gte'), textAt(form, 'created', 'lte')]
  const isAsked = ({ type, created }: SimulatedEvent): boolean =>
    (types.length === 0 || types.includes(type)) &&
    created >= Number(from ?? 0) &&
    created <= Number(to ?? Number.POSITIVE_INFINITY)
  const events = world.events.map(({ account: _account, ...event }) => event)
  return types.length > 20 ? badRequest : list(form, events, isAsked)
}

const createCustomer: Handler = (world, form) => ({ object: addCustomer(world, textsAt(form, 'metadata')) })

const createSession: Handler = (world, form) => {
  const mode = textAt(form, 'mode') === 'payment' ? 'payment' : 'subscription'
  const priceId = textAt(form, 'line_items', '0', 'price') ?? ''
  const customer = textAt(form, 'customer')
  if (!world.prices.has(priceId) || (customer !== null && !world.customers.has(customer))) return badRequest
  const sale = mode === 'payment' ? 'payment_intent_data' : 'subscription_data'
  const request = {
    mode,
    priceId,
    customer,
    successUrl: textAt(form, 'success_url'),
    cancelUrl: textAt(form, 'cancel_url'),
    metadata: textsAt(form, 'metadata'),
    saleMetadata: textsAt(form, sale, 'metadata'),
    trialDays: Number(textAt(form, 'subscription_data', 'trial_period_days') ?? 0),
  } as const
  return { object: openCheckout(world, request) }
}

const badRequest: Answer = { status: 400, type: 'invalid_request_error', code: 'resource_missing' }

const createPortal: Handler = (world, form) => {
  const customer = textAt(form, 'customer') ?? ''
  return world.customers.has(customer)
    ? { object: openPortal(world, customer, textAt(form, 'return_url') ?? '') }
    : badRequest
}

const updateSubscription: Handler = (world, form, id) => {
  const subscription = world.subscriptions.get(id)
  if (!subscription) return MISSING
  if (subscription.status === 'canceled') return { ...badRequest, code: 'subscription_canceled' }
  const wanted = textAt(form, 'cancel_at_period_end') === 'true'
  if (wanted !== subscription.cancel_at_period_end) (wanted ? cancelAtPeriodEnd : undoCancel)(world, id)
  return { object: subscription }
}

const createRefund: Handler = (world, form) => {
  const intent = world.intents.get(textAt(form, 'payment_intent') ?? '')
  const charge = world.charges.get(textAt(form, 'charge') ?? String(intent?.latest_charge))
  if (!charge) return MISSING
  if (charge.refunded) return { status: 400, type: 'invalid_request_error', code: 'charge_already_refunded' }
  const amount = textAt(form, 'amount')
  return { object: refundCharge(world, charge.id, amount === null ? null : Number(amount)) }
}

const ROUTES: readonly [method: string, path: RegExp, handler: Handler][] = [
  ['POST', /^\/v1\/customers$/, createCustomer],
  ['GET', /^\/v1\/customers\/([^/]+)$/, one((world) => world.customers)],
  ['GET', /^\/v1\/prices\/([^/]+)$/, one((world) => world.prices)],
  ['POST', /^\/v1\/checkout\/sessions$/, createSession],
  ['GET', /^\/v1\/checkout\/sessions$/, listSessions],
  ['GET', /^\/v1\/checkout\/sessions\/([^/]+)$/, one((world) => world.sessions)],
  ['POST', /^\/v1\/billing_portal\/sessions$/, createPortal],
  ['POST', /^\/v1\/subscriptions$/, createSubscription],
  ['DELETE', /^\/v1\/subscriptions\/([^/]+)$/, endSubscription],
  ['GET', /^\/v1\/subscriptions\/([^/]+)$/, one((world) => world.subscriptions)],
  ['POST', /^\/v1\/subscriptions\/([^/]+)$/, updateSubscription],
  ['GET', /^\/v1\/subscription_items\/([^/]+)$/, getItem],
  ['GET', /^\/v1\/subscription_schedules\/([^/]+)$/, one((world) => world.schedules)],
  ['GET', /^\/v1\/invoices$/, listInvoices],
  ['GET', /^\/v1\/invoices\/([^/]+)$/, getInvoice],
  ['GET', /^\/v1\/invoices\/([^/]+)\/lines$/, listLines],
  ['GET', /^\/v1\/invoiceitems$/, listInvoiceItems],
  ['GET', /^\/v1\/invoice_payments$/, listPayments],
  ['POST', /^\/v1\/payment_intents$/, createIntent],
  ['POST', /^\/v1\/payment_intents\/([^/]+)\/cancel$/, cancelPayment],
  ['GET', /^\/v1\/setup_intents\/([^/]+)$/, one((world) => world.setups)],
  ['GET', /^\/v1\/promotion_codes$/, listCodes],
  ['GET', /^\/v1\/payment_method_domains$/, listDomains],
  ['POST', /^\/v1\/payment_method_domains$/, createDomain],
  ['POST', /^\/v1\/payment_method_domains\/([^/]+)$/, updateDomain],
  ['POST', /^\/v1\/payment_method_domains\/([^/]+)\/validate$/, validateDomain],
  ['GET', /^\/v1\/payment_intents\/([^/]+)$/, one((world) => world.intents)],
  ['GET', /^\/v1\/charges\/([^/]+)$/, one((world) => world.charges)],
  ['GET', /^\/v1\/refunds$/, listRefunds],
  ['POST', /^\/v1\/refunds$/, createRefund],
  ['GET', /^\/v1\/credit_notes$/, listCreditNotes],
  ['GET', /^\/v1\/credit_notes\/([^/]+)\/lines$/, listCredits],
  ['GET', /^\/v1\/events$/, listEvents],
  ['GET', /^\/v1\/disputes\/([^/]+)$/, one((world) => world.disputes)],
]
