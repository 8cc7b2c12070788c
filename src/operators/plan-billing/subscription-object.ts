import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type CloudConfig, TIERS, type Tier } from '../../base/config-cloud'
import { SECOND } from '../../base/lib/clock'
import { MAX_INSTANT } from '../../base/lib/time'
import { SUBSCRIPTION_STATUSES, type SubscriptionReport } from '../../projects/billing/life'

const Seconds = Type.Integer({ minimum: 0, maximum: Math.floor(MAX_INSTANT / SECOND) })
const Id = Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$' })
const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const Item = Type.Object({ price: Type.Object({ id: Id }), current_period_end: nullable(Seconds) })

/** The members that are read of the provider's subscription object. */
const SubscriptionObject = Type.Object({
  id: Id,
  customer: Type.Union([Id, Type.Object({ id: Id })]),
  status: Type.Union(SUBSCRIPTION_STATUSES.map((status) => Type.Literal(status))),
  created: Seconds,
  cancel_at: nullable(Seconds),
  cancel_at_period_end: Type.Optional(Type.Boolean()),
  /** Only in the events of an endpoint with an API version before that of March 2025. */
  current_period_end: nullable(Seconds),
  items: Type.Object({ data: Type.Array(Item, { minItems: 1 }) }),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
})

type SubscriptionObject = Static<typeof SubscriptionObject>

/** The customer of any of the provider's objects; null when it names none. */
export function customerOfObject(object: Readonly<Record<string, unknown>>): string | null {
  const { customer } = object
  const id = typeof customer === 'object' && customer !== null && 'id' in customer ? customer.id : customer
  return Value.Check(Id, id) ? id : null
}

/** Null for an object that is no subscription, or one to a price that is not of a plan. */
export function readSubscription(cloud: CloudConfig, object: unknown): SubscriptionReport | null {
  if (!Value.Check(SubscriptionObject, object)) return null
  const [item] = object.items.data
  const tier = item && tierOfPrice(cloud, item.price.id)
  const end = item?.current_period_end ?? object.current_period_end ?? null
  if (!tier || end === null) return null
  const periodEnd = end * SECOND
  const { id, customer, status, created } = object
  return {
    ...{ id, customerId: typeof customer === 'string' ? customer : customer.id, status, tier },
    ...{ startedAt: created * SECOND, periodEnd, cancelAt: cancelOf(object, periodEnd), ...paidOf(object) },
  }
}

function cancelOf({ cancel_at, cancel_at_period_end }: SubscriptionObject, periodEnd: number): number | null {
  if (typeof cancel_at === 'number') return cancel_at * SECOND
  return cancel_at_period_end ? periodEnd : null
}

/** The note that `switchPlan` saves at the provider when a lower plan starts with the next period. */
function paidOf({ metadata = {} }: SubscriptionObject) {
  const paidTier = TIERS.find((tier) => tier === metadata.svcPaidTier) ?? null
  const until = /^\d{1,12}$/.test(metadata.svcPaidUntil ?? '') ? Number(metadata.svcPaidUntil) * SECOND : null
  return paidTier === null || until === null ? { paidTier: null, paidUntil: null } : { paidTier, paidUntil: until }
}

/** The price of a plan at the test store. */
export const testPrice = (tier: Tier): string => `price_test_${tier}`

export const priceOfTier = ({ provider, prices }: CloudConfig, tier: Tier): string | null =>
  provider === 'TEST_STORE' ? testPrice(tier) : (prices[tier] ?? null)

/** Subscriptions keep their price when the plan gets another one. */
const tierOfPrice = (cloud: CloudConfig, price: string): Tier | null =>
  TIERS.find((tier) => priceOfTier(cloud, tier) === price || cloud.formerPrices[tier]?.includes(price)) ?? null
