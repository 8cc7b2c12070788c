import { Type } from '@sinclair/typebox'
import { orNull, REVISED } from '../../base/http/object-answer'
import { toIso } from '../../base/lib/time'
import { oneOf } from '../../core/schema/object'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { CohortAnalysis } from './members'
import { FIRST_SEEN } from './model'
import { sharesOf } from './retention'

const strict = { additionalProperties: false } as const
const Time = Type.String({ maxLength: 64, description: 'ISO 8601', examples: ['2026-11-20T08:00:00.000Z'] })
export const ENVIRONMENTS: readonly PurchaseEnvironment[] = ['PRODUCTION', 'SANDBOX']
const STORES: readonly Store[] = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT', 'MANUAL']

const Within = Type.Union(
  [
    Type.String({ pattern: '^P[1-9][0-9]{0,3}D$', maxLength: 6, description: 'The last days, of 24 hours each' }),
    Type.Object({ from: Time, to: Time }, { ...strict, title: 'CohortWindow', description: 'to is not included' }),
  ],
  { description: 'When the event happened; any time when absent', examples: ['P30D'] },
)

const Filters = Type.Object(
  {
    environment: Type.Optional(
      oneOf(ENVIRONMENTS, { description: 'Of the event and of purchases; PRODUCTION when absent' }),
    ),
    store: Type.Optional(oneOf(STORES, { description: 'Has a purchase in this store' })),
    productId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Has a purchase of it' })),
    country: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'The attribute country' })),
    platform: Type.Optional(oneOf(['ios', 'android', 'web'])),
    attributes: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 40 }), Type.String({ maxLength: 500 }), {
        maxProperties: 10,
        description: 'Custom attributes with these values',
      }),
    ),
  },
  { ...strict, title: 'CohortFilters', description: 'All of them hold' },
)

const Definition = Type.Object(
  {
    event: Type.String({
      ...{ minLength: 1, maxLength: 136, examples: [FIRST_SEEN, 'purchase.initial'] },
      description: `${FIRST_SEEN}, a type of the event feed, or a type that your apps send to POST /v1/events`,
    }),
    within: Type.Optional(Within),
    filters: Type.Optional(Filters),
  },
  { ...strict, title: 'CohortDefinition' },
)

const members = {
  identifier: Type.String({ minLength: 1, maxLength: 64, examples: ['trial_starters'] }),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  definition: Definition,
}

export const CohortBody = Type.Object(members, { ...strict, title: 'CohortRequest' })
export const CohortPatch = Type.Partial(Type.Object(members), { ...strict, title: 'CohortChange' })

export const CohortSchema = Type.Object(
  {
    id: Type.String(),
    ...members,
    size: orNull(Type.Integer({ description: 'How many people; null until it is computed' })),
    computedAt: orNull(Type.String({ format: 'date-time' })),
    ...REVISED,
  },
  { ...strict, title: 'Cohort' },
)

export const AnalysisSchema = Type.Object(
  {
    grain: Type.Literal('month'),
    computedAt: Type.String({ format: 'date-time' }),
    rows: Type.Array(
      Type.Object(
        {
          start: Type.String({
            format: 'date-time',
            description: 'Beginning of a month in the time zone of the project',
          }),
          size: Type.Integer({ description: 'How many people became members in it' }),
          shares: Type.Array(Type.Number(), {
            description: 'The share that paid for a subscription n months after becoming a member, from n = 0',
          }),
        },
        { ...strict, title: 'CohortRetention' },
      ),
      { description: 'The oldest month first' },
    ),
  },
  { ...strict, title: 'CohortAnalysis' },
)

export const toAnalysisView = ({ rows, computedAt }: CohortAnalysis) => ({
  grain: 'month' as const,
  computedAt: toIso(computedAt),
  rows: rows.map((row) => ({ start: toIso(row.start), size: row.size, shares: sharesOf(row) })),
})
