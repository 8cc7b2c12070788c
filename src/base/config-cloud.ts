import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { oneOf, orNull } from '../core/schema/object'
import type { Reader } from './config-reader'
import { parseJson } from './lib/json'

/** The plans, from the smallest to the largest. */
export const TIERS = ['FREE', 'INDIE', 'STUDIO', 'ENTERPRISE'] as const

export type Tier = (typeof TIERS)[number]

const strict = { additionalProperties: false } as const
const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const AmountOrNull = orNull(Amount)
const MoneySchema = Type.Object(
  { amountMicros: Amount, currency: Type.String({ pattern: '^[A-Z]{3}$', maxLength: 3 }) },
  strict,
)
export const TierName = oneOf(TIERS)
const MeterName = oneOf(['events', 'sqlQueries'])

/** A plan as it is configured and shown. `included` null = no limit. */
export const PlanSchema = Type.Object(
  {
    tier: TierName,
    monthly: orNull(MoneySchema),
    meters: Type.Array(Type.Object({ name: MeterName, included: AmountOrNull, overage: orNull(MoneySchema) }, strict), {
      minItems: 2,
      maxItems: 2,
    }),
    storageBytes: AmountOrNull,
    retentionDays: Type.Integer({ minimum: 1, maximum: 1825 }),
    assistant: Type.Object({ messages: AmountOrNull, inputTokens: AmountOrNull, outputTokens: AmountOrNull }, strict),
    customDomains: Type.Integer({ minimum: 0, maximum: 1000 }),
  },
  { ...strict, title: 'Plan' },
)

export type Plan = Static<typeof PlanSchema>

/** With it, the deployment bills its projects. */
export interface CloudConfig {
  /** One for each tier, from the smallest to the largest. */
  plans: readonly Plan[]
  /** The price of each paid plan at the payment provider, where it is known. */
  prices: Readonly<Partial<Record<Tier, string>>>
  /** Prices that subscriptions of a plan may still have, from before it got another one. */
  formerPrices: Readonly<Partial<Record<Tier, readonly string[]>>>
  /** The account at the payment provider; null = none. `TEST_STORE`: the built-in one. Contains secrets. */
  provider: BillingKeys | 'TEST_STORE' | null
  /** Signs the provider's events; null = none is set. */
  webhookSecret: string | null
  /** A key for real money on a server that is no public one. Nothing is charged then. */
  areLiveKeysRefused: boolean
}

export interface BillingKeys {
  secretKey: string
  publishableKey: string
}

const GIB = 1024 ** 3
const MILLION = 1_000_000

const planOf = (
  tier: Tier,
  price: number | null,
  [events, sqlQueries]: readonly [number | null, number | null],
  [storageBytes, retentionDays]: readonly [number | null, number],
  [messages, inputTokens, outputTokens]: readonly [number, number, number],
): Plan => ({
  tier,
  monthly: price === null ? null : { amountMicros: price * MILLION, currency: 'USD' },
  meters: [
    { name: 'events', included: events, overage: null },
    { name: 'sqlQueries', included: sqlQueries, overage: null },
  ],
  storageBytes,
  retentionDays,
  assistant: { messages, inputTokens, outputTokens },
  customDomains: 1,
})

const LARGE_ASSISTANT = [10_000, 50 * MILLION, 10 * MILLION] as const

export const DEFAULT_PLANS: readonly Plan[] = [
  planOf('FREE', null, [MILLION, 1000], [GIB / 4, 30], [50, 250_000, 50_000]),
  planOf('INDIE', 29, [25 * MILLION, 10_000], [5 * GIB, 180], [1000, 5 * MILLION, MILLION]),
  planOf('STUDIO', 199, [250 * MILLION, 100_000], [50 * GIB, 365], LARGE_ASSISTANT),
  planOf('ENTERPRISE', null, [null, null], [null, 1825], LARGE_ASSISTANT),
]

interface Surroundings {
  isSimulatorOn: boolean
  mode: 'production' | 'development'
  publicBaseUrl: string | null
}

/** Reads it; its faults are those of the whole configuration. */
export function readCloud(read: Reader, around: Surroundings): CloudConfig | null {
  const { plans, prices, formerPrices } = readPlans(read)
  const provider = readProvider(read, around, prices)
  const webhookSecret = read.text('SVC_BILLING_WEBHOOK_SECRET') ?? null
  if (read.oneOf('SVC_CLOUD') !== '1') return null
  return {
    plans,
    prices,
    formerPrices,
    provider,
    webhookSecret,
    areLiveKeysRefused: isLive(provider) && !isPublic(around),
  }
}

const isLive = (provider: CloudConfig['provider']): boolean =>
  provider !== null && provider !== 'TEST_STORE' && /^[rs]k_live_/.test(provider.secretKey)

const isPublic = ({ mode, publicBaseUrl }: Surroundings): boolean =>
  mode !== 'development' &&
  publicBaseUrl !== null &&
  /^https:\/\/(?!localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[)[^/]*\.[a-z0-9-]+(:\d+)?(\/|$)/i.test(
    publicBaseUrl,
  ) &&
  !/\.(local|internal|localhost|test|example|invalid)(:\d+)?(\/|$)/i.test(publicBaseUrl)

function readProvider(
  read: Reader,
  { isSimulatorOn }: Surroundings,
  prices: CloudConfig['prices'],
): CloudConfig['provider'] {
  const secretKey = read.text('SVC_BILLING_SECRET_KEY')
  const publishableKey = read.text('SVC_BILLING_PUBLISHABLE_KEY') ?? ''
  const webhookSecret = read.text('SVC_BILLING_WEBHOOK_SECRET') ?? ''
  if (secretKey === undefined || secretKey === 'test') return isSimulatorOn ? 'TEST_STORE' : null
  if (!/^[rs]k_(test|live)_\w+$/.test(secretKey)) read.secretFault('SVC_BILLING_SECRET_KEY', 'sk_..., rk_... or test')
  if (!/^pk_(test|live)_\w+$/.test(publishableKey)) read.secretFault('SVC_BILLING_PUBLISHABLE_KEY', 'pk_...')
  if (!/^whsec_\S+$/.test(webhookSecret)) read.secretFault('SVC_BILLING_WEBHOOK_SECRET', 'whsec_...')
  if (Object.keys(prices).length === 0)
    read.fault('SVC_BILLING_PLANS', 'without prices', 'plans with a priceId for each with a monthly amount')
  return { secretKey, publishableKey }
}

interface Priced {
  plans: readonly Plan[]
  prices: CloudConfig['prices']
  formerPrices: CloudConfig['formerPrices']
}

const DEFAULT: Priced = { plans: DEFAULT_PLANS, prices: {}, formerPrices: {} }

function readPlans(read: Reader): Priced {
  const given = read.text('SVC_BILLING_PLANS')
  if (given === undefined) return DEFAULT
  const plans = parseJson(given)
  if (isPlans(plans)) return withoutPrices(plans)
  read.fault('SVC_BILLING_PLANS', given.slice(0, 100), `a JSON list of the plans ${TIERS.join(', ')}, in this order`)
  return DEFAULT
}

const withoutPrices = (plans: readonly PricedPlan[]): Priced => ({
  plans: plans.map(({ priceId: _, formerPriceIds: _former, ...plan }) => plan),
  prices: Object.fromEntries(plans.flatMap(({ tier, priceId }) => (priceId === undefined ? [] : [[tier, priceId]]))),
  formerPrices: Object.fromEntries(plans.map(({ tier, formerPriceIds = [] }) => [tier, formerPriceIds])),
})

const PriceId = Type.String({ pattern: '^price_\\w+$', maxLength: 100 })
const PricedPlanSchema = Type.Object(
  {
    ...PlanSchema.properties,
    priceId: Type.Optional(PriceId),
    formerPriceIds: Type.Optional(Type.Array(PriceId, { maxItems: 50 })),
  },
  strict,
)

type PricedPlan = Static<typeof PricedPlanSchema>

const PlansSchema = Type.Array(PricedPlanSchema, { minItems: TIERS.length, maxItems: TIERS.length })

/** A price without a monthly amount could not be shown, and prices are given for all paid plans or for none. */
const isPlans = (plans: unknown): plans is PricedPlan[] =>
  Value.Check(PlansSchema, plans) &&
  plans.every(({ tier, meters }, at) => tier === TIERS[at] && new Set(meters.map(({ name }) => name)).size === 2) &&
  [0, paidOf(plans).length].includes(plans.filter(({ priceId }) => priceId !== undefined).length) &&
  plans.every(({ monthly, priceId }) => priceId === undefined || monthly !== null) &&
  areDifferent(plans.flatMap(({ priceId, formerPriceIds = [] }) => [priceId ?? [], formerPriceIds].flat()))

/** A price that two plans have would say nothing about the plan of a subscription. */
const areDifferent = (ids: readonly string[]): boolean => new Set(ids).size === ids.length

const paidOf = (plans: readonly PricedPlan[]) => plans.filter(({ monthly }) => monthly !== null)
