import type Stripe from 'stripe'
import { sha256Hex } from '../../base/lib/hash'
import type { BillingDetails } from '../../projects/billing/details'
import { received, receivedList, UnreadableAnswer } from '../../stores/payment/received'
import type { Card, CustomerState, Owner } from './provider'

const PAGE = 100

/** Only cards, whatever else the account of the operator accepts: the rest of the product shows cards. */
export const CARDS_ONLY = ['card' as const]

/**
 * The same owner with the same details twice is one customer. The provider repeats the outcome of a key for a day, so the
 * replacement of a deleted customer has a key of its own.
 */
export async function createCustomer(
  stripe: Stripe,
  { projectId, ownerId, details, replaces }: Owner,
): Promise<string> {
  const params = { metadata: { svcProject: projectId, svcOwner: ownerId }, ...(details && buyerOf(details)) }
  const text = JSON.stringify(replaces === null ? params : { ...params, replaces })
  const idempotencyKey = `svc-customer-${sha256Hex(text).slice(0, 40)}`
  return received(await stripe.customers.create(params, { idempotencyKey }), 'customer').id
}

export async function stateOfCustomer(stripe: Stripe, id: string): Promise<CustomerState> {
  const known = await findCustomer(stripe, id)
  return known === null ? 'UNKNOWN' : known.deleted ? 'DELETED' : 'PRESENT'
}

const findCustomer = (stripe: Stripe, id: string) =>
  nullIfMissing(async () => received(await stripe.customers.retrieve(id), 'customer', id))

/** Null where the provider does not know the object of the address. */
export async function nullIfMissing<Found>(call: () => Promise<Found>): Promise<Found | null> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof Error && 'statusCode' in error && error.statusCode === 404) return null
    throw error
  }
}

export async function changeCustomer(stripe: Stripe, id: string, details: BillingDetails): Promise<void> {
  received(await stripe.customers.update(id, buyerOf(details)), 'customer', id)
}

/** The tax id is printed on the invoices as it was given: its kind would have to be known to be checked. */
const buyerOf = ({ name, address, taxId }: BillingDetails) => ({
  name,
  address: {
    ...{ line1: address.line1, line2: address.line2 ?? '', city: address.city },
    ...{ postal_code: address.postalCode ?? '', state: address.state ?? '', country: address.country },
  },
  invoice_settings: { custom_fields: taxId === null ? ('' as const) : [{ name: 'Tax id', value: taxId }] },
})

export async function setUpCard(stripe: Stripe, customer: string): Promise<string> {
  const params = { customer, usage: 'off_session' as const, payment_method_types: CARDS_ONLY }
  const { client_secret } = received(await stripe.setupIntents.create(params), 'setup_intent')
  if (!client_secret) throw new UnreadableAnswer('setup_intent.client_secret')
  return client_secret
}

/** A running subscription may have a card of its own, which is charged before that of the customer. */
export async function listCards(stripe: Stripe, customer: string) {
  const known = await findCustomer(stripe, customer)
  if (known === null || known.deleted) return { cards: [], defaultId: null }
  const cards = await cardsOf(stripe, customer)
  const own = (await runningOf(stripe, customer)).map(({ default_payment_method }) => idOf(default_payment_method))
  return { cards, defaultId: own.find((id) => id !== null) ?? idOf(known.invoice_settings?.default_payment_method) }
}

async function cardsOf(stripe: Stripe, customer: string): Promise<Card[]> {
  const found = await stripe.paymentMethods.list({ customer, type: 'card', limit: PAGE })
  return receivedList(found, 'payment_method').data.flatMap(({ id, card }) =>
    card ? [{ id, brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }] : [],
  )
}

const RUNNING: readonly string[] = ['active', 'trialing', 'past_due', 'unpaid', 'paused']

/** Newest first. */
async function runningOf(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  const found = await stripe.subscriptions.list({ customer, limit: PAGE })
  return receivedList(found, 'subscription').data.filter(({ status }) => RUNNING.includes(status))
}

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

/** The card pays from now on, also for what runs: a card that a subscription has of its own would be charged first. */
export async function setDefaultCard(stripe: Stripe, customer: string, cardId: string): Promise<void> {
  const params = { invoice_settings: { default_payment_method: cardId } }
  received(await stripe.customers.update(customer, params), 'customer', customer)
  for (const { id, default_payment_method } of await runningOf(stripe, customer))
    if (idOf(default_payment_method) !== cardId)
      received(await stripe.subscriptions.update(id, { default_payment_method: cardId }), 'subscription', id)
}

/**
 * The card belongs to the customer and pays from now on. Returns its id, which is another one for the provider's names of
 * test cards.
 */
export async function payWith(stripe: Stripe, customer: string, cardId: string): Promise<string> {
  const isOwn = (await cardsOf(stripe, customer)).some(({ id }) => id === cardId)
  const id = isOwn ? cardId : received(await stripe.paymentMethods.attach(cardId, { customer }), 'payment_method').id
  await setDefaultCard(stripe, customer, id)
  return id
}
