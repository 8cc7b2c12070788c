import { DAY, SECOND } from '../../base/lib/clock'
import { addPeriod } from '../../base/lib/period'
import { toSmallestUnit } from '../../stores/payment/currency'
import { paymentSeedOf } from '../../stores/test-keys/ids'
import {
  type Due,
  type LifeBase,
  movedEarlier,
  type Redating,
  refused,
  type SimulatedNews,
  type SimulatedTerms,
} from './life'
import { addPrice, itemOf } from './payment-billing'
import { completeCheckout, openCheckout } from './payment-checkout'
import { PaymentWorld, type WrittenWorld } from './payment-world'

/** A purchase at the payment test store, with its objects of the provider. */
export interface PaymentLife extends LifeBase {
  store: 'payment'
  /** Null for a one-time purchase. */
  subscriptionId: string | null
  intentId: string | null
  world: WrittenWorld
  /** When the provider stops trying to charge. */
  retryUntil: number | null
  /** Of a sale that is not paid yet: when it ends, and when the payment that runs will be settled. */
  open?: { expiresAt: number; settlesAt: number | null }
}

export interface PaymentOrder {
  deviceKey: string
  terms: SimulatedTerms
  /** Further products of the same checkout. */
  others?: readonly SimulatedTerms[]
  seed: string
  now: number
  withTrial: boolean
  /** Metadata of the checkout, and of the sale that it creates. */
  metadata: Record<string, string>
}

/** A customer pays in a hosted checkout. */
export function buyAtPayment(
  order: PaymentOrder,
): { ok: true; life: PaymentLife; told: SimulatedNews[] } | { ok: false; why: string } {
  const { terms, others = [], seed, now, withTrial, metadata, deviceKey } = order
  const isRecurring = terms.type === 'SUBSCRIPTION'
  if (isRecurring && !intervalOf(terms.period))
    return refused('The payment test store sells periods of whole days, weeks, months or years.')
  const world = new PaymentWorld({ now: () => now }, null, paymentSeedOf(seed))
  const [price, ...further] = [terms, ...others].map((one) => addPrice(world, priceOf(one)))
  if (!price) throw new Error('nothing is sold')
  const trialDays = withTrial && isRecurring ? (addPeriod(now, terms.trialPeriod) - now) / DAY : 0
  const mode = isRecurring ? 'subscription' : 'payment'
  const where = { customer: null, successUrl: null, cancelUrl: null }
  const request = {
    ...where,
    mode,
    priceId: price.id,
    others: further.map(({ id }) => id),
    metadata,
    saleMetadata: metadata,
    trialDays,
  } as const
  const session = completeCheckout(world, openCheckout(world, request).id)
  const subscriptionId = textOf(session.subscription)
  const intentId = textOf(session.payment_intent)
  const ids = { id: subscriptionId ?? intentId ?? session.id, subscriptionId, intentId }
  const life: PaymentLife = {
    ...{ store: 'payment', ...ids, deviceKey, terms, boughtAt: now, lastAt: now, retryUntil: null },
    world: world.write(),
  }
  return { ok: true, life, told: toldOf(world) }
}

const UNITS = { D: 'day', W: 'week', M: 'month', Y: 'year' } as const

/** The period as the provider counts it; null for one that it does not sell. */
export function intervalOf(period: string | null) {
  const [, count, unit] = /^P([1-9]\d?)([DWMY])$/.exec(period ?? '') ?? []
  return count === undefined ? null : { interval: UNITS[unit as keyof typeof UNITS], count: Number(count) }
}

/** The terms in the form of the provider: prices in the smallest unit. */
export const priceOf = ({ productId, price, type, period }: SimulatedTerms) => ({
  id: productId,
  amount: toSmallestUnit(price),
  currency: price.currency.toLowerCase(),
  ...(type === 'SUBSCRIPTION' ? (intervalOf(period) ?? { interval: 'month' as const }) : { interval: null }),
})

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const toldOf = (world: PaymentWorld): SimulatedNews[] =>
  world.events.map((word) => ({ store: 'payment', type: word.type, word }))

/** The next turn that happens without a command; null when there is none. */
export function paymentDue(life: PaymentLife): Due | null {
  if (life.open) {
    const { expiresAt, settlesAt } = life.open
    return settlesAt === null ? { at: expiresAt, turn: 'expire' } : { at: settlesAt, turn: 'settle' }
  }
  const world = PaymentWorld.read(life.world, { now: () => life.lastAt })
  const subscription = life.subscriptionId === null ? null : world.subscriptions.get(life.subscriptionId)
  if (!subscription || ['canceled', 'unpaid', 'paused', 'incomplete_expired'].includes(subscription.status)) return null
  const resumesAt = subscription.pause_collection?.resumes_at
  if (subscription.pause_collection) return resumesAt ? { at: resumesAt * SECOND, turn: 'resume' } : null
  const endsAt = itemOf(subscription).current_period_end * SECOND
  if (subscription.status === 'past_due') return { at: life.retryUntil ?? endsAt, turn: 'expire' }
  return { at: endsAt, turn: subscription.cancel_at_period_end ? 'expire' : 'renew' }
}

/** Members that are dates in seconds and may lie in the future. */
const DATES: ReadonlySet<string> = new Set([
  ...['current_period_start', 'current_period_end', 'trial_end', 'cancel_at', 'billing_cycle_anchor'],
  ...['resumes_at', 'expires_at', 'start', 'end', 'period_end', 'start_date', 'end_date'],
])

export function redatePayment(life: PaymentLife, by: Redating): PaymentLife {
  const move = (at: number): number => Math.round(movedEarlier(at * SECOND, by) / SECOND)
  const { retryUntil, open } = life
  const moved = open && {
    expiresAt: movedEarlier(open.expiresAt, by),
    settlesAt: open.settlesAt && movedEarlier(open.settlesAt, by),
  }
  return {
    ...life,
    world: moveDates(life.world, move),
    retryUntil: retryUntil && movedEarlier(retryUntil, by),
    ...(moved && { open: moved }),
  }
}

export function moveDates<Value>(value: Value, move: (at: number) => number): Value {
  if (Array.isArray(value)) return value.map((one) => moveDates(one, move)) as Value // The same members, moved.
  if (typeof value !== 'object' || value === null) return value
  const moved = Object.entries(value).map(([name, member]) => [
    name,
    DATES.has(name) && typeof member === 'number' ? move(member) : moveDates(member, move),
  ])
  return Object.fromEntries(moved) as Value // The same members, moved.
}
