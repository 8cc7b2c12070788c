import type { Tier } from '../../base/config-cloud'
import { DAY } from '../../base/lib/clock'
import { higherOf } from './tier'

/** A subscription at the payment provider, as one report shows it. */
export interface SubscriptionReport {
  id: string
  customerId: string
  status: SubscriptionStatus
  /** What is charged from the next period on. */
  tier: Tier
  startedAt: number
  periodEnd: number
  /** When it ends, if it was cancelled. */
  cancelAt: number | null
  /** After a change to a lower plan: what the running period was paid for, and its end. */
  paidTier: Tier | null
  paidUntil: number | null
}

export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

/** A report and its place in the order: by time, then by rank, then by id. */
export interface BillingEvent {
  id: string
  at: number
  /** Breaks equal times: created 0, asked for 1, changed 2, deleted 3. */
  rank: number
  report: SubscriptionReport
}

/** What a set of events says. It depends neither on the order in which they came nor on repetitions. */
export interface Life {
  subscriptions: { id: string; customerId: string; startedAt: number; steps: Step[] }[]
}

type Step = Omit<SubscriptionReport, 'id' | 'customerId' | 'startedAt'> & { at: number }

export const NO_LIFE: Life = { subscriptions: [] }

const byPlace = (a: BillingEvent, b: BillingEvent): number =>
  a.at - b.at || a.rank - b.rank || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Folds events in their own order. */
export function foldLife(events: readonly BillingEvent[]): Life {
  const unique = [...new Map(events.map((event) => [event.id, event])).values()].sort(byPlace)
  const lives = new Map<string, Life['subscriptions'][number]>()
  for (const { at, report } of unique) {
    const { id, customerId, startedAt, ...rest } = report
    const life = lives.get(id) ?? { id, customerId, startedAt, steps: [] }
    lives.set(id, life)
    // Nothing follows the end of a subscription.
    if (life.steps.at(-1)?.status !== 'canceled') life.steps.push({ at, ...rest })
  }
  return { subscriptions: [...lives.values()].sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)) }
}

/** For how long the provider tries to collect a payment that failed. */
export const RETRY_MS = 21 * DAY

export interface Standing {
  state: 'FREE' | 'ACTIVE' | 'PAST_DUE' | 'PAUSED'
  /** What was paid for; FREE while the project is paused. */
  tier: Tier
  /** The plan from the next period on, where it is another one. */
  pendingTier: Tier | null
  renewsAt: number | null
  cancelAt: number | null
  pausedAt: number | null
  subscriptionId: string | null
  customerId: string | null
}

const NOTHING: Standing = {
  ...{ state: 'FREE', tier: 'FREE', pendingTier: null, renewsAt: null },
  ...{ cancelAt: null, pausedAt: null, subscriptionId: null, customerId: null },
}

const HEALTHY: readonly SubscriptionStatus[] = ['active', 'trialing']
const LIVE: readonly SubscriptionStatus[] = [...HEALTHY, 'past_due', 'unpaid', 'paused']

/** How a project is billed at an instant. Of several subscriptions the newest decides that has not ended. */
export function standingAt({ subscriptions }: Life, instant: number): Standing {
  const known = subscriptions.flatMap(({ steps, ...one }) => {
    const past = steps.filter(({ at }) => at <= instant)
    const last = past.at(-1)
    return last && past.some(({ status }) => LIVE.includes(status)) ? [{ ...one, past, last }] : []
  })
  const main = known.findLast(({ last }) => LIVE.includes(last.status)) ?? known.at(-1)
  if (!main) return NOTHING
  const { id: subscriptionId, customerId, past, last } = main
  const named = { ...NOTHING, subscriptionId, customerId }
  if (!LIVE.includes(last.status)) return named
  return HEALTHY.includes(last.status)
    ? { ...named, ...running(last, instant) }
    : { ...named, ...failing(past, instant) }
}

function running({ tier, paidTier, paidUntil, periodEnd, cancelAt }: Step, instant: number) {
  const paid = paidTier !== null && paidUntil !== null && instant < paidUntil ? paidTier : tier
  return {
    state: 'ACTIVE' as const,
    tier: paid,
    pendingTier: paid === tier ? null : tier,
    renewsAt: cancelAt === null ? periodEnd : null,
    cancelAt,
  }
}

function failing(past: readonly Step[], instant: number) {
  const first = past.findLastIndex(({ status }) => HEALTHY.includes(status)) + 1
  const trouble = past.slice(first)
  const lateAt = (trouble[0]?.at ?? 0) + RETRY_MS
  const endedAt = trouble.find(({ status }) => status !== 'past_due')?.at ?? lateAt
  const pausedAt = Math.min(lateAt, endedAt)
  const { tier, cancelAt } = trouble.at(-1) ?? { tier: 'FREE' as const, cancelAt: null }
  if (pausedAt <= instant) return { state: 'PAUSED' as const, pausedAt, cancelAt }
  return { state: 'PAST_DUE' as const, tier, cancelAt }
}

/** The plan at an instant: the higher of the one that was paid for and the one that was given by hand. */
export const paidOr = (life: Life, instant: number, byHand: Tier): Tier =>
  higherOf(standingAt(life, instant).tier, byHand)
