import type Stripe from 'stripe'
import type { BillingKeys, CloudConfig, Tier } from '../../base/config-cloud'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { CircuitBreaker } from '../../base/lib/circuit'
import { outsideClock, SECOND } from '../../base/lib/clock'
import type { BillingDetails } from '../../projects/billing/details'
import { Provider, type ProviderResult } from '../../stores/payment/provider'
import { toBilledInvoice, toDue } from './live-invoice'
import {
  type BillingProvider,
  type Confirmation,
  type NewSubscription,
  NOTHING_TO_CONFIRM,
  type Owner,
  type PlanSwitch,
} from './provider'
import { priceOfTier, readSubscription } from './subscription-object'

declare module '../../base/state' {
  interface SliceState {
    /** Shared by all projects: they are charged through one account. */
    billingCircuit: CircuitBreaker
  }
}

const EXPANDED = { expand: ['latest_invoice.confirmation_secret', 'pending_setup_intent'] }

/** The operator's own account at the payment provider. */
export function liveProvider(ctx: Context, cloud: CloudConfig, { secretKey }: BillingKeys): BillingProvider {
  const circuit = ctx.state.billingCircuit
  const account = new Provider({
    ...{ apiUrl: ctx.config.storeUrls.payment, secretKey, account: null, circuit, clock: outsideClock(ctx) },
  })
  const call = async <Value>(work: (stripe: Stripe) => Promise<Value>) => unwrap(await account.call(work))
  const price = (tier: Tier) => priceOfPlan(cloud, tier)
  return {
    createCustomer: (owner) =>
      call(
        async (stripe) =>
          (await stripe.customers.create(customerParams(owner), { idempotencyKey: customerKey(owner) })).id,
      ),
    changeCustomer: (id, details) => call(async (stripe) => void (await changeCustomer(stripe, id, details))),
    setUpCard: (customer) =>
      call(async (stripe) => {
        const intent = await stripe.setupIntents.create({ customer, usage: 'off_session' })
        return requireSecret(intent.client_secret)
      }),
    listCards: (customer) => call((stripe) => listCards(stripe, customer)),
    setDefaultCard: (customer, id) =>
      call(async (stripe) => {
        await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
      }),
    removeCard: (id) => call(async (stripe) => void (await stripe.paymentMethods.detach(id))),
    listSubscriptions: (customer) =>
      call(async (stripe) => {
        const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
        return data.flatMap((one) => readSubscription(cloud, one) ?? [])
      }),
    subscribe: (wanted) => call((stripe) => subscribe(stripe, wanted, price(wanted.tier))),
    switchPlan: (wanted) => call((stripe) => switchPlan(stripe, wanted, price(wanted.tier))),
    previewSwitch: ({ subscriptionId: subscription, tier }) =>
      call(async (stripe) => {
        const item = await itemOf(stripe, subscription)
        const items = [{ id: item.id, price: price(tier) }]
        const details = { items, proration_behavior: 'always_invoice' as const }
        return toDue(await stripe.invoices.createPreview({ subscription, subscription_details: details }))
      }),
    payOpen: (subscription, cardId) => call((stripe) => payOpen(stripe, subscription, cardId)),
    setCancelled: (id, isCancelled) =>
      call(async (stripe) => void (await stripe.subscriptions.update(id, { cancel_at_period_end: isCancelled }))),
    endNow: (id) => call((stripe) => endNow(stripe, id)),
    listInvoices: (customer) =>
      call(async (stripe) => (await stripe.invoices.list({ customer, limit: 100 })).data.map(toBilledInvoice)),
    findInvoice: async (id) => {
      if (!/^in_\w{1,100}$/.test(id)) return null
      const found = await account.call((stripe) => stripe.invoices.retrieve(id))
      return !found.ok && found.reason === 'rejected' && found.status === 404 ? null : toBilledInvoice(unwrap(found))
    },
  }
}

function unwrap<Value>(result: ProviderResult<Value>): Value {
  if (result.ok) return result.value
  if (result.reason === 'unavailable') throw new AppError('STORE_UNAVAILABLE', undefined, { cause: result.cause })
  if (result.reason !== 'rejected') throw new AppError('STORE_API_ERROR')
  const { providerRequestId, providerErrorType, providerErrorCode } = result
  throw new AppError('PAYMENT_PROVIDER_REJECTED', { providerRequestId, providerErrorType, providerErrorCode })
}

function priceOfPlan(cloud: CloudConfig, tier: Tier): string {
  const id = priceOfTier(cloud, tier)
  if (id === null) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'billing' })
  return id
}

function requireSecret(secret: string | null | undefined): string {
  if (!secret) throw new AppError('STORE_API_ERROR')
  return secret
}

const customerKey = ({ projectId, ownerId }: Owner): string => `svc-customer-${projectId}-${ownerId}`

const customerParams = ({ projectId, ownerId, details }: Owner): Stripe.CustomerCreateParams => ({
  metadata: { svcProject: projectId, svcOwner: ownerId },
  ...(details && nameAndAddress(details)),
})

const nameAndAddress = ({ name, address }: BillingDetails) => ({
  name,
  address: {
    ...{ line1: address.line1, line2: address.line2 ?? '', city: address.city },
    ...{ postal_code: address.postalCode ?? '', state: address.state ?? '', country: address.country },
  },
})

/** The tax id is printed on the invoices as it was given: its kind would have to be known to be checked. */
async function changeCustomer(stripe: Stripe, id: string, details: BillingDetails): Promise<void> {
  const { taxId } = details
  const custom_fields = taxId === null ? ('' as const) : [{ name: 'Tax id', value: taxId }]
  await stripe.customers.update(id, { ...nameAndAddress(details), invoice_settings: { custom_fields } })
}

async function listCards(stripe: Stripe, customer: string) {
  const known = await stripe.customers.retrieve(customer)
  const chosen = known.deleted ? null : (known.invoice_settings.default_payment_method ?? null)
  const { data } = await stripe.paymentMethods.list({ customer, type: 'card', limit: 100 })
  const cards = data.flatMap(({ id, card }) =>
    card ? [{ id, brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }] : [],
  )
  return { cards, defaultId: typeof chosen === 'string' ? chosen : (chosen?.id ?? null) }
}

async function attach(stripe: Stripe, customer: string, cardId: string): Promise<void> {
  await stripe.paymentMethods.attach(cardId, { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: cardId } })
}

async function subscribe(
  stripe: Stripe,
  { customerId: customer, cardId, startsAt, key }: NewSubscription,
  price: string,
): Promise<Confirmation> {
  const hasCard = cardId !== null || (await listCards(stripe, customer)).defaultId !== null
  if (cardId !== null) await attach(stripe, customer, cardId)
  const params: Stripe.SubscriptionCreateParams = {
    customer,
    items: [{ price }],
    payment_behavior: hasCard ? 'allow_incomplete' : 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    ...(cardId !== null && { default_payment_method: cardId }),
    ...(startsAt !== null && { trial_end: Math.floor(startsAt / SECOND) }),
    ...EXPANDED,
  }
  return toConfirmation(await stripe.subscriptions.create(params, { idempotencyKey: key }))
}

async function itemOf(stripe: Stripe, subscription: string): Promise<Stripe.SubscriptionItem> {
  const [item] = (await stripe.subscriptions.retrieve(subscription)).items.data
  if (!item) throw new AppError('STORE_API_ERROR')
  return item
}

/**
 * A lower price is set at once and without a proration, so that the next period costs it; what this period was paid for
 * is in the metadata until then.
 */
async function switchPlan(stripe: Stripe, { subscriptionId, paidTier, when, cardId }: PlanSwitch, price: string) {
  const one = await stripe.subscriptions.retrieve(subscriptionId)
  const [item] = one.items.data
  if (!item) throw new AppError('STORE_API_ERROR')
  const items = [{ id: item.id, price }]
  if (cardId !== null) await attach(stripe, typeof one.customer === 'string' ? one.customer : one.customer.id, cardId)
  if (when === 'NOW') {
    const paid = { proration_behavior: 'always_invoice', payment_behavior: 'pending_if_incomplete' } as const
    return toConfirmation(await stripe.subscriptions.update(subscriptionId, { items, ...paid, ...EXPANDED }))
  }
  const paidUntil = String(item.current_period_end)
  const metadata = when === 'BACK' ? CLEARED : { svcPaidTier: paidTier, svcPaidUntil: paidUntil }
  await stripe.subscriptions.update(subscriptionId, { items, proration_behavior: 'none', metadata })
  return NOTHING_TO_CONFIRM
}

const CLEARED = { svcPaidTier: '', svcPaidUntil: '' }

async function payOpen(stripe: Stripe, subscription: string, cardId: string | null): Promise<Confirmation> {
  const one = await stripe.subscriptions.retrieve(subscription, EXPANDED)
  const customer = typeof one.customer === 'string' ? one.customer : one.customer.id
  if (cardId !== null) await attach(stripe, customer, cardId)
  const { data } = await stripe.invoices.list({ subscription, status: 'open', limit: 10 })
  for (const { id } of data) {
    if (id === undefined) continue
    const expand = ['confirmation_secret']
    const known = await stripe.invoices.retrieve(id, { expand })
    if (cardId === null) return { clientSecret: known.confirmation_secret?.client_secret ?? null, kind: 'payment' }
    const paid = await stripe.invoices.pay(id, { payment_method: cardId }).catch(nullIfDeclined)
    if (paid?.status !== 'paid')
      return { clientSecret: known.confirmation_secret?.client_secret ?? null, kind: 'payment' }
  }
  return NOTHING_TO_CONFIRM
}

/** A declined card is an answer: the buyer can confirm the payment. Every other failure is thrown. */
function nullIfDeclined(error: unknown): null {
  if (error instanceof Error && 'rawType' in error && error.rawType === 'card_error') return null
  throw error
}

async function endNow(stripe: Stripe, id: string): Promise<void> {
  const { status } = await stripe.subscriptions.retrieve(id)
  if (status !== 'canceled' && status !== 'incomplete_expired') await stripe.subscriptions.cancel(id)
}

function toConfirmation({ latest_invoice, pending_setup_intent }: Stripe.Subscription): Confirmation {
  const invoice = typeof latest_invoice === 'object' ? latest_invoice : null
  const payment = invoice?.status === 'paid' ? null : (invoice?.confirmation_secret?.client_secret ?? null)
  if (payment !== null) return { clientSecret: payment, kind: 'payment' }
  const setup = typeof pending_setup_intent === 'object' ? (pending_setup_intent?.client_secret ?? null) : null
  return setup === null ? NOTHING_TO_CONFIRM : { clientSecret: setup, kind: 'setup' }
}
