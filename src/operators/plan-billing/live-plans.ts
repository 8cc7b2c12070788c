import type Stripe from 'stripe'
import { SECOND } from '../../base/lib/clock'
import type { Money } from '../../base/lib/money'
import { received, receivedList, UnreadableAnswer } from '../../stores/payment/received'
import { CARDS_ONLY, listCards, nullIfMissing, payWith } from './live-cards'
import { finaliseNewest, toDue } from './live-invoice'
import { type Confirmation, type NewSubscription, NOTHING_TO_CONFIRM, type PlanSwitch } from './provider'

const EXPANDED = { expand: ['latest_invoice.confirmation_secret', 'pending_setup_intent'] }
const PAGE = 100

const customerOf = ({ customer }: Stripe.Subscription): string =>
  typeof customer === 'string' ? customer : customer.id

const getSubscription = async (stripe: Stripe, id: string): Promise<Stripe.Subscription> =>
  received(await stripe.subscriptions.retrieve(id), 'subscription', id)

/** Of every status, newest first. */
export async function listSubscriptions(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  const found = await stripe.subscriptions.list({ customer, status: 'all', limit: PAGE })
  return receivedList(found, 'subscription').data
}

export async function subscribe(
  stripe: Stripe,
  { customerId: customer, cardId, startsAt, key }: NewSubscription,
  price: string,
  now: number,
): Promise<Confirmation> {
  const hasCard = cardId !== null || (await listCards(stripe, customer)).defaultId !== null
  const card = cardId === null ? null : await payWith(stripe, customer, cardId)
  const params: Stripe.SubscriptionCreateParams = {
    customer,
    items: [{ price }],
    payment_behavior: hasCard ? 'allow_incomplete' : 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: CARDS_ONLY },
    ...(card !== null && { default_payment_method: card }),
    // An end of the free time that is over would be refused.
    ...(startsAt !== null && startsAt > now && { trial_end: Math.ceil(startsAt / SECOND) }),
    ...EXPANDED,
  }
  return toConfirmation(received(await createOnce(stripe, params, key), 'subscription'))
}

const MOST_KEYS = 5

/**
 * Two tries at once make one subscription. The provider repeats the outcome of a key for a day, so the next try after a
 * failure takes the next key.
 */
async function createOnce(stripe: Stripe, params: Stripe.SubscriptionCreateParams, key: string) {
  for (let count = 1; ; count++) {
    const idempotencyKey = count === 1 ? key : `${key}-${count}`
    try {
      return await stripe.subscriptions.create(params, { idempotencyKey })
    } catch (error) {
      if (count === MOST_KEYS || !(await isOfEarlierTry(stripe, params.customer ?? '', error))) throw error
    }
  }
}

/** A repeated failure, or the refusal of a key of another choice that has made nothing. */
async function isOfEarlierTry(stripe: Stripe, customer: string, error: unknown): Promise<boolean> {
  if (!(error instanceof Error)) return false
  if ('headers' in error && isRepeated(error.headers)) return true
  if (!('rawType' in error) || error.rawType !== 'idempotency_error') return false
  return (await listSubscriptions(stripe, customer)).every(({ status }) => ENDED.includes(status))
}

const ENDED: readonly string[] = ['canceled', 'incomplete_expired']

const isRepeated = (headers: unknown): boolean =>
  typeof headers === 'object' && headers !== null && Reflect.get(headers, 'idempotent-replayed') === 'true'

async function itemOf(stripe: Stripe, subscription: string) {
  const one = await getSubscription(stripe, subscription)
  const [item] = one.items?.data ?? []
  if (!item) throw new UnreadableAnswer('subscription.items')
  return { one, item }
}

export async function previewSwitch(stripe: Stripe, subscription: string, price: string): Promise<Money> {
  const { item } = await itemOf(stripe, subscription)
  const details = { items: [{ id: item.id, price }], proration_behavior: 'always_invoice' as const }
  return toDue(
    received(await stripe.invoices.createPreview({ subscription, subscription_details: details }), 'invoice'),
  )
}

/**
 * A lower price is set at once and without a proration, so that the next period costs it; what this period was paid for
 * is in the metadata until then.
 */
export async function switchPlan(
  stripe: Stripe,
  { subscriptionId, paidTier, when, cardId }: PlanSwitch,
  price: string,
): Promise<Confirmation> {
  const { one, item } = await itemOf(stripe, subscriptionId)
  const items = [{ id: item.id, price }]
  if (cardId !== null) await payWith(stripe, customerOf(one), cardId)
  const change = async (params: Stripe.SubscriptionUpdateParams) =>
    received(await stripe.subscriptions.update(subscriptionId, { items, ...params }), 'subscription', subscriptionId)
  if (when === 'NOW') {
    const paid = { proration_behavior: 'always_invoice', payment_behavior: 'pending_if_incomplete' } as const
    return toConfirmation(await change({ ...paid, ...EXPANDED }))
  }
  const paidUntil = String(item.current_period_end)
  const metadata = when === 'BACK' ? CLEARED : { svcPaidTier: paidTier, svcPaidUntil: paidUntil }
  await change({ proration_behavior: 'none', metadata })
  return NOTHING_TO_CONFIRM
}

const CLEARED = { svcPaidTier: '', svcPaidUntil: '' }

export async function payOpen(stripe: Stripe, subscription: string, cardId: string | null): Promise<Confirmation> {
  const one = await getSubscription(stripe, subscription)
  const card = cardId === null ? null : await payWith(stripe, customerOf(one), cardId)
  // No invoice of an unpaid subscription becomes final by itself.
  if (one.status === 'unpaid') await finaliseNewest(stripe, subscription)
  const { data } = receivedList(await stripe.invoices.list({ subscription, status: 'open', limit: 10 }), 'invoice')
  for (const { id } of data) {
    const secret = await payOne(stripe, id, card)
    if (secret !== null) return { clientSecret: secret, kind: 'payment' }
  }
  return NOTHING_TO_CONFIRM
}

/** Null when it is paid, else the secret with which the browser pays. */
async function payOne(stripe: Stripe, id: string, card: string | null): Promise<string | null> {
  const paid = card === null ? null : await stripe.invoices.pay(id, { payment_method: card }).catch(nullIfDeclined)
  if (paid?.status === 'paid') return null
  const known = received(await stripe.invoices.retrieve(id, { expand: ['confirmation_secret'] }), 'invoice', id)
  return known.status === 'paid' ? null : secretOf(known)
}

function secretOf({ confirmation_secret }: Stripe.Invoice): string {
  if (!confirmation_secret?.client_secret) throw new UnreadableAnswer('invoice.confirmation_secret')
  return confirmation_secret.client_secret
}

/** A declined card, or one that its bank wants authenticated, is an answer: the buyer confirms the payment. */
function nullIfDeclined(error: unknown): null {
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 402) return null
  throw error
}

export async function setCancelled(stripe: Stripe, id: string, isCancelled: boolean): Promise<Stripe.Subscription> {
  const answer = await stripe.subscriptions.update(id, { cancel_at_period_end: isCancelled })
  return received(answer, 'subscription', id)
}

export async function endNow(stripe: Stripe, id: string): Promise<void> {
  const one = await nullIfMissing(() => getSubscription(stripe, id))
  if (one && !ENDED.includes(one.status)) received(await stripe.subscriptions.cancel(id), 'subscription', id)
}

function toConfirmation({ latest_invoice, pending_setup_intent }: Stripe.Subscription): Confirmation {
  const invoice = typeof latest_invoice === 'object' ? latest_invoice : null
  const payment = invoice?.status === 'paid' ? null : (invoice?.confirmation_secret?.client_secret ?? null)
  if (payment !== null) return { clientSecret: payment, kind: 'payment' }
  const setup = typeof pending_setup_intent === 'object' ? (pending_setup_intent?.client_secret ?? null) : null
  return setup === null ? NOTHING_TO_CONFIRM : { clientSecret: setup, kind: 'setup' }
}
