import type Stripe from 'stripe'
import { SECOND } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { PURCHASE_EVENTS } from './event'
import { SUBSCRIBER_KEY } from './metadata'
import { Provider, type ProviderParts, type ProviderResult } from './provider'
import { received, receivedList, UnreadableAnswer } from './received'
import { idOf, Reference, readShape } from './shapes'

/** The subscriber whose customer is wanted; `customerId` is the customer on record. */
export interface CustomerOf {
  projectId: string
  subscriberId: string
  customerId: string | null
}

/** A refund of all that remains of a payment. The two ids are ours; the idempotency key is made from them. */
export interface RefundOrder {
  payment: { charge: string } | { payment_intent: string }
  purchaseId: string
  transactionId: string
}

/** How many paid invoices are read to find the newest period: charges for seats may follow it. */
const INVOICES = 20
const MAX_LINES = 500
const PAGE = 100
const MAX_REFUNDS = 100
const EVENTS = 100

/** One page of the provider's events, newest first, unchanged. */
export interface EventPage {
  events: Stripe.Event[]
  /** The next page; null at the end. */
  next: string | null
}

/** The answers to a request that expands what the key may not read. */
const NOT_EXPANDED = [400, 403]

/** The provider expands at most four levels. */
const SUBSCRIPTION_EXPANDED = ['latest_invoice', 'items.data.price.tiers', 'discounts.source.coupon.applies_to']
const ITEM_EXPANDED = { expand: ['discounts.source.coupon.applies_to'] }

const hasDiscounts = ({ discounts }: Stripe.SubscriptionItem): boolean => (discounts ?? []).length > 0

/**
 * The provider's routes that are used here. An answer is returned unchanged when it is an object of the kind, and
 * with the id, that was asked for; its other members are checked where they are decoded.
 */
export class PaymentClient {
  readonly #provider: Provider

  constructor(parts: ProviderParts) {
    this.#provider = new Provider(parts)
  }

  createCheckoutSession(
    params: Stripe.Checkout.SessionCreateParams,
    idempotencyKey: string,
  ): Promise<ProviderResult<Stripe.Checkout.Session>> {
    return this.#provider.call(async (stripe) =>
      received(await stripe.checkout.sessions.create(params, { idempotencyKey }), 'checkout.session'),
    )
  }

  createPortalSession(
    params: Stripe.BillingPortal.SessionCreateParams,
  ): Promise<ProviderResult<Stripe.BillingPortal.Session>> {
    return this.#provider.call(async (stripe) =>
      received(await stripe.billingPortal.sessions.create(params), 'billing_portal.session'),
    )
  }

  /** A subscription with its newest invoice. The reason of that invoice shows whether a new price is in force. */
  async getSubscription(id: string): Promise<ProviderResult<Stripe.Subscription>> {
    const read = (expand: string[]) =>
      this.#provider.call(async (stripe) =>
        received(await stripe.subscriptions.retrieve(id, { expand }), 'subscription', id),
      )
    const answer = await read(SUBSCRIPTION_EXPANDED)
    // A key of few rights may not read prices and coupons. Then the price is that of the last charge.
    const isRefused = !answer.ok && answer.reason === 'rejected' && NOT_EXPANDED.includes(answer.status)
    if (isRefused) return read(['latest_invoice'])
    return answer.ok ? this.#withItemDiscounts(answer.value) : answer
  }

  /** Discounts of single items lie too deep to be expanded in the subscription, so those items are read one by one. */
  async #withItemDiscounts(subscription: Stripe.Subscription): Promise<ProviderResult<Stripe.Subscription>> {
    const { items } = subscription
    if (!items?.data?.some(hasDiscounts)) return { ok: true, value: subscription }
    const data: Stripe.SubscriptionItem[] = []
    for (const item of items.data) {
      const answer = hasDiscounts(item) ? await this.#withDiscounts(item) : ({ ok: true, value: item } as const)
      if (!answer.ok) return answer
      data.push(answer.value)
    }
    return { ok: true, value: { ...subscription, items: { ...items, data } } }
  }

  async #withDiscounts(item: Stripe.SubscriptionItem): Promise<ProviderResult<Stripe.SubscriptionItem>> {
    const answer = await this.#provider.call(async (stripe) =>
      received(await stripe.subscriptionItems.retrieve(item.id, ITEM_EXPANDED), 'subscription_item', item.id),
    )
    if (answer.ok) return { ok: true, value: { ...item, discounts: answer.value.discounts } }
    // The key has few rights, or the item was removed since.
    return answer.reason === 'rejected' ? { ok: true, value: item } : answer
  }

  getSchedule(id: string): Promise<ProviderResult<Stripe.SubscriptionSchedule>> {
    return this.#provider.call(async (stripe) =>
      received(
        await stripe.subscriptionSchedules.retrieve(id, { expand: ['phases.items.price'] }),
        'subscription_schedule',
        id,
      ),
    )
  }

  /** An invoice with its payments and all its lines. */
  getInvoice(id: string): Promise<ProviderResult<Stripe.Invoice>> {
    return this.#provider.call(async (stripe) =>
      withAllLines(stripe, received(await stripe.invoices.retrieve(id, { expand: ['payments'] }), 'invoice', id)),
    )
  }

  /** The newest paid invoices of a subscription. */
  listPaidInvoices(subscription: string): Promise<ProviderResult<Stripe.Invoice[]>> {
    return this.#provider.call(async (stripe) => {
      const paid = await stripe.invoices.list({ subscription, status: 'paid', limit: INVOICES })
      const { data } = receivedList(paid, 'invoice')
      return Promise.all(data.map((invoice) => withAllLines(stripe, invoice)))
    })
  }

  /** The invoice items that lines of an invoice were made of. */
  listInvoiceItems(invoice: string): Promise<ProviderResult<Pick<Stripe.InvoiceItem, 'id' | 'parent'>[]>> {
    return this.#provider.call(async (stripe) => {
      const first = receivedList(await stripe.invoiceItems.list({ invoice, limit: PAGE }), 'invoiceitem')
      if (!first.has_more) return first.data
      return stripe.invoiceItems.list({ invoice, limit: PAGE }).autoPagingToArray({ limit: MAX_LINES })
    })
  }

  /** Id of the invoice that a payment intent pays; null for a payment without an invoice. */
  findInvoiceOfPayment(paymentIntent: string): Promise<ProviderResult<string | null>> {
    return this.#provider.call(async (stripe) => {
      const payment = { type: 'payment_intent', payment_intent: paymentIntent } as const
      const payments = await stripe.invoicePayments.list({ payment, limit: 1 })
      const [found] = receivedList(payments, 'invoice_payment').data
      return found ? idIn('invoice_payment.invoice', found.invoice) : null
    })
  }

  getCheckoutSession(id: string): Promise<ProviderResult<Stripe.Checkout.Session>> {
    return this.#provider.call(async (stripe) =>
      received(await stripe.checkout.sessions.retrieve(id, { expand: ['line_items'] }), 'checkout.session', id),
    )
  }

  /** The checkout session that created a one-time payment; null when no checkout did. */
  findSessionOfPayment(paymentIntent: string): Promise<ProviderResult<Stripe.Checkout.Session | null>> {
    return this.#provider.call(async (stripe) => {
      const query = { payment_intent: paymentIntent, limit: 1, expand: ['data.line_items'] }
      return receivedList(await stripe.checkout.sessions.list(query), 'checkout.session').data[0] ?? null
    })
  }

  getPaymentIntent(id: string): Promise<ProviderResult<Stripe.PaymentIntent>> {
    return this.#provider.call(async (stripe) =>
      received(await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }), 'payment_intent', id),
    )
  }

  getCharge(id: string): Promise<ProviderResult<Stripe.Charge>> {
    return this.#provider.call(async (stripe) => received(await stripe.charges.retrieve(id), 'charge', id))
  }

  listRefunds(charge: string): Promise<ProviderResult<Stripe.Refund[]>> {
    return this.#provider.call(
      async (stripe) => receivedList(await stripe.refunds.list({ charge, limit: MAX_REFUNDS }), 'refund').data,
    )
  }

  /** The newest credit notes of an invoice, with all their lines. */
  listCreditNotes(invoice: string): Promise<ProviderResult<Stripe.CreditNote[]>> {
    return this.#provider.call(async (stripe) => {
      const { data } = receivedList(await stripe.creditNotes.list({ invoice, limit: MAX_REFUNDS }), 'credit_note')
      return Promise.all(data.map((note) => withAllCredits(stripe, note)))
    })
  }

  /**
   * Refunds what remains of a payment. The same order twice gives one refund. The answer has the charge with all its
   * refunds.
   */
  refundCharge({ payment, purchaseId, transactionId }: RefundOrder): Promise<ProviderResult<Stripe.Refund>> {
    const idempotencyKey = `refund_${purchaseId}_${transactionId}`
    return this.#provider.call(async (stripe) =>
      received(await stripe.refunds.create({ ...payment, expand: ['charge.refunds'] }, { idempotencyKey }), 'refund'),
    )
  }

  cancelAtPeriodEnd(subscription: string): Promise<ProviderResult<Stripe.Subscription>> {
    return this.#setCancelled(subscription, true)
  }

  /** Undoes `cancelAtPeriodEnd` of a subscription that has not ended. */
  keepRenewing(subscription: string): Promise<ProviderResult<Stripe.Subscription>> {
    return this.#setCancelled(subscription, false)
  }

  #setCancelled(subscription: string, wanted: boolean): Promise<ProviderResult<Stripe.Subscription>> {
    return this.#provider.call(async (stripe) => {
      const answer = await stripe.subscriptions.update(subscription, { cancel_at_period_end: wanted })
      const { cancel_at_period_end: isCancelled } = received(answer, 'subscription', subscription)
      if (isCancelled !== wanted) throw new UnreadableAnswer('subscription.cancel_at_period_end')
      return answer
    })
  }

  /** A customer of a sale on a page of ours; a repeated call creates one only. */
  createBuyer(params: Stripe.CustomerCreateParams, idempotencyKey: string): Promise<ProviderResult<string>> {
    return this.#provider.call(
      async (stripe) => received(await stripe.customers.create(params, { idempotencyKey }), 'customer').id,
    )
  }

  createSubscription(
    params: Stripe.SubscriptionCreateParams,
    idempotencyKey: string,
  ): Promise<ProviderResult<Stripe.Subscription>> {
    return this.#provider.call(async (stripe) =>
      received(await stripe.subscriptions.create(params, { idempotencyKey }), 'subscription'),
    )
  }

  /** Ends an unpaid subscription now. */
  endSubscription(id: string): Promise<ProviderResult<Stripe.Subscription>> {
    return this.#provider.call(async (stripe) => received(await stripe.subscriptions.cancel(id), 'subscription', id))
  }

  createPaymentIntent(
    params: Stripe.PaymentIntentCreateParams,
    idempotencyKey: string,
  ): Promise<ProviderResult<Stripe.PaymentIntent>> {
    return this.#provider.call(async (stripe) =>
      received(await stripe.paymentIntents.create(params, { idempotencyKey }), 'payment_intent'),
    )
  }

  cancelPaymentIntent(id: string): Promise<ProviderResult<Stripe.PaymentIntent>> {
    return this.#provider.call(async (stripe) => received(await stripe.paymentIntents.cancel(id), 'payment_intent', id))
  }

  getSetupIntent(id: string): Promise<ProviderResult<Stripe.SetupIntent>> {
    return this.#provider.call(async (stripe) => received(await stripe.setupIntents.retrieve(id), 'setup_intent', id))
  }

  /** The active promotion code that a customer typed; null when there is none. */
  findPromotionCode(code: string): Promise<ProviderResult<Stripe.PromotionCode | null>> {
    return this.#provider.call(async (stripe) => {
      const query = { code, active: true, limit: 1, expand: ['data.promotion.coupon.applies_to'] }
      return receivedList(await stripe.promotionCodes.list(query), 'promotion_code').data[0] ?? null
    })
  }

  /** The state of a domain on the account, for the wallets of browsers; null where it is not registered there. */
  findMethodDomain(domain: string): Promise<ProviderResult<Stripe.PaymentMethodDomain | null>> {
    return this.#provider.call(async (stripe) => {
      const found = await stripe.paymentMethodDomains.list({ domain_name: domain, enabled: true, limit: 1 })
      return receivedList(found, 'payment_method_domain').data[0] ?? null
    })
  }

  /** Registers a domain for the wallets of browsers, or switches it on again, and has the wallets check it anew. */
  registerMethodDomain(domain: string): Promise<ProviderResult<Stripe.PaymentMethodDomain>> {
    return this.#provider.call(async (stripe) => {
      const found = await findDomains(stripe, domain)
      const known = found.find(({ enabled }) => enabled) ?? found[0]
      if (!known) return received(await stripe.paymentMethodDomains.create({ domain_name: domain }), METHOD_DOMAIN)
      const { id } = known
      if (!known.enabled)
        return received(await stripe.paymentMethodDomains.update(id, { enabled: true }), METHOD_DOMAIN, id)
      if (known.apple_pay.status === 'active') return known
      return received(await stripe.paymentMethodDomains.validate(id), METHOD_DOMAIN, id)
    })
  }

  /** Switches a domain off for the wallets of browsers; the provider deletes none. Null where it is not registered. */
  disableMethodDomain(domain: string): Promise<ProviderResult<null>> {
    return this.#provider.call(async (stripe) => {
      for (const { id } of (await findDomains(stripe, domain)).filter(({ enabled }) => enabled))
        received(await stripe.paymentMethodDomains.update(id, { enabled: false }), METHOD_DOMAIN, id)
      return null
    })
  }

  /** Events about purchases, created between two instants (both included); at most 30 days back. */
  listEvents({ from, to }: { from: number; to: number }, page: string | null): Promise<ProviderResult<EventPage>> {
    return this.#provider.call(async (stripe) => {
      const created = { gte: Math.floor(from / SECOND), lte: Math.floor(to / SECOND) }
      const after = page === null ? {} : { starting_after: page }
      const query = { created, types: [...PURCHASE_EVENTS], limit: EVENTS, ...after }
      const { data, has_more } = receivedList(await stripe.events.list(query), 'event')
      return { events: data, next: has_more ? (data.at(-1)?.id ?? null) : null }
    })
  }

  getPrice(id: string): Promise<ProviderResult<Stripe.Price>> {
    return this.#provider.call(async (stripe) => received(await stripe.prices.retrieve(id), 'price', id))
  }

  /** Id of the subscriber's customer: the one on record while the provider has it, else a new one. */
  async findOrCreateCustomer(of: CustomerOf): Promise<ProviderResult<string>> {
    const { customerId } = of
    if (customerId === null) return this.#createCustomer(of)
    const found = await this.#provider.call(async (stripe) =>
      received(await stripe.customers.retrieve(customerId), 'customer', customerId),
    )
    if (!found.ok) return found.reason === 'rejected' && found.status === 404 ? this.#createCustomer(of) : found
    return found.value.deleted ? this.#createCustomer(of) : { ok: true, value: customerId }
  }

  /** Creates a customer. Two calls at once, or a repeated one, create one customer only. */
  #createCustomer({ projectId, subscriberId, customerId }: CustomerOf): Promise<ProviderResult<string>> {
    const idempotencyKey = sha256Hex(`customer:${projectId}:${subscriberId}:${customerId ?? ''}`)
    const params = { metadata: { [SUBSCRIBER_KEY]: subscriberId } }
    return this.#provider.call(
      async (stripe) => received(await stripe.customers.create(params, { idempotencyKey }), 'customer').id,
    )
  }
}

const METHOD_DOMAIN = 'payment_method_domain'

const findDomains = async (stripe: Stripe, domain: string): Promise<Stripe.PaymentMethodDomain[]> =>
  receivedList(await stripe.paymentMethodDomains.list({ domain_name: domain, limit: 10 }), METHOD_DOMAIN).data

/**
 * The invoice with all its lines. The provider includes only the first ten: prorations come first, and the line of the
 * period may not be among them.
 */
export async function withAllLines(stripe: Stripe, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  if (!invoice.lines?.has_more) return invoice
  const data = await stripe.invoices.listLineItems(invoice.id, { limit: 100 }).autoPagingToArray({ limit: MAX_LINES })
  return { ...invoice, lines: { ...invoice.lines, data, has_more: false } }
}

/** The same for a credit note. */
async function withAllCredits(stripe: Stripe, note: Stripe.CreditNote): Promise<Stripe.CreditNote> {
  if (!note.lines?.has_more) return note
  const data = await stripe.creditNotes.listLineItems(note.id, { limit: 100 }).autoPagingToArray({ limit: MAX_LINES })
  return { ...note, lines: { ...note.lines, data, has_more: false } }
}

/** The id in a reference of an answer. */
function idIn(field: string, reference: unknown): string {
  const read = readShape(field, Reference, reference)
  if (!read.ok) throw new UnreadableAnswer(field)
  return idOf(read.value)
}
