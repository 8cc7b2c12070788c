import { HOUR, SECOND } from '../../base/lib/clock'
import type { TestAttempt, TestSale } from '../../stores/in-process'
import { paymentSeedOf } from '../../stores/test-keys/ids'
import type { SimulatedNews, SimulatedTerms } from './life'
import { refused } from './life'
import { addCustomer, addPrice } from './payment-billing'
import { attempt, expireSale, type IntentOutcome, openIntentOf, openPayment, openSubscription } from './payment-intents'
import { intervalOf, type PaymentLife, priceOf, toldOf } from './payment-life'
import { getFrom, PaymentWorld } from './payment-world'

/** After this time the provider ends an unpaid sale. */
const OPEN_MS = 23 * HOUR

/** How long a payment runs that is not settled at once. */
const SETTLE_MS = 5 * 24 * HOUR

export type Opened = { ok: true; life: PaymentLife; told: SimulatedNews[] } | { ok: false; why: string }

/** A sale whose payment the page of the seller collects. */
export function openSale(sale: TestSale, { seed, now }: { seed: string; now: number }): Opened {
  const { identifier, productId, type, period, price, trialDays, metadata, percentOff } = sale
  const isRecurring = type === 'SUBSCRIPTION'
  if (isRecurring && !intervalOf(period)) return refused('The test store sells whole days, weeks, months or years.')
  const terms: SimulatedTerms = {
    ...{ identifier, productId, type, price },
    basePlanId: 'base',
    period,
    trialPeriod: 'P1W',
  }
  const world = new PaymentWorld({ now: () => now }, null, paymentSeedOf(seed))
  const { id: priceId, currency, unit_amount } = addPrice(world, priceOf(terms))
  const customer = addCustomer(world).id
  const subscription = isRecurring
    ? openSubscription(world, { customer, priceId, metadata, trialDays, percentOff })
    : null
  const amount = Math.round(((unit_amount ?? 0) * (100 - percentOff)) / 100)
  if (!isRecurring && amount === 0) return refused('The test store takes no payment of nothing.')
  const intent = isRecurring ? null : openPayment(world, { amount, currency, customer, metadata })
  const ids = { subscriptionId: subscription?.id ?? null, intentId: intent?.id ?? null }
  const life: PaymentLife = {
    ...{ store: 'payment', terms, boughtAt: now, lastAt: now, retryUntil: null, ...ids },
    id: ids.subscriptionId ?? ids.intentId ?? '',
    deviceKey: `payment:${customer}`,
    open: { expiresAt: now + OPEN_MS, settlesAt: null },
    world: world.write(),
  }
  return { ok: true, life, told: toldOf(world) }
}

const OUTCOMES: Record<Exclude<TestAttempt, 'closes'>, IntentOutcome> = {
  pays: 'succeeded',
  authenticated: 'succeeded',
  declined: 'declined',
  needs_authentication: 'requires_action',
  processing: 'processing',
}

/** What the customer does on the sheet of the test store. */
export function attemptSale(life: PaymentLife, outcome: TestAttempt, given: number): Opened {
  const now = Math.max(given, life.lastAt + 1)
  const world = PaymentWorld.read(life.world, { now: () => now })
  const intentId = intentOf(life, world)
  if (!life.open || intentId === null) return refused('The payment has ended')
  const { status } = getFrom<{ status: string }>(world.setups.has(intentId) ? world.setups : world.intents, intentId)
  if (status === 'processing') return refused('The payment is being processed')
  if (outcome === 'authenticated' && status !== 'requires_action') return refused('Nobody asked for an authentication')
  if (outcome === 'closes') return { ok: true, life, told: [] }
  attempt(world, intentId, OUTCOMES[outcome])
  const { open, ...rest } = life
  const isPaid = OUTCOMES[outcome] === 'succeeded'
  const settlesAt = outcome === 'processing' ? given + SETTLE_MS : null
  const next = isPaid ? rest : { ...rest, open: { ...open, settlesAt } }
  return { ok: true, life: { ...next, world: world.write(), lastAt: now }, told: toldOf(world) }
}

const intentOf = ({ subscriptionId, intentId }: PaymentLife, world: PaymentWorld): string | null =>
  subscriptionId === null ? intentId : openIntentOf(world, getFrom(world.subscriptions, subscriptionId))

/** The secrets and the state of a sale, as its page needs them. */
export function describeSale(life: PaymentLife) {
  const world = PaymentWorld.read(life.world, { now: () => life.lastAt })
  const id = intentOf(life, world) ?? ''
  const setup = world.setups.get(id)
  const intent = setup ?? world.intents.get(id)
  return {
    kind: setup ? ('setup' as const) : ('payment' as const),
    customerId: life.deviceKey.slice('payment:'.length),
    subscriptionId: life.subscriptionId,
    intentId: id,
    clientSecret: intent?.client_secret ?? '',
    expiresAt: life.open?.expiresAt ?? life.lastAt,
  }
}

/** Ends a sale that its customer has left for another one. */
export function abandonSale(life: PaymentLife, given: number): Opened {
  const now = Math.max(given, life.lastAt + 1)
  const world = PaymentWorld.read(life.world, { now: () => now })
  const { open, ...rest } = life
  if (!open) return refused('The payment has ended')
  if (life.subscriptionId !== null) expireSale(world, getFrom(world.subscriptions, life.subscriptionId))
  else Object.assign(getFrom(world.intents, life.intentId ?? ''), { status: 'canceled', canceled_at: now / SECOND })
  return { ok: true, life: { ...rest, world: world.write(), lastAt: now }, told: toldOf(world) }
}
