import { Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { orNull } from '../../base/http/object-answer'
import { GROUPINGS } from './operator-queries'
import type { FunnelStatistics } from './statistics'

const strict = { additionalProperties: false } as const
const TextOrNull = orNull(Type.String())

const times = {
  from: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601: when the first session began' })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601: all began before it' })),
}

export const FunnelSessionListQuery = Type.Object({ ...listQuery, ...times }, strict)

export const StatisticsQuery = Type.Object(
  { ...times, groupBy: Type.Optional(Type.Union(GROUPINGS.map((name) => Type.Literal(name)))) },
  strict,
)

const session = {
  id: Type.String(),
  funnelId: Type.String(),
  versionNo: Type.Integer(),
  state: Type.Union([
    Type.Literal('IN_PROGRESS'),
    Type.Literal('PAID'),
    Type.Literal('COMPLETED'),
    Type.Literal('ABANDONED'),
  ]),
  currentPageId: Type.String(),
  path: Type.Unsafe<readonly string[]>(Type.Array(Type.String())),
  locale: Type.String(),
  utm: Type.Unsafe<Readonly<Record<string, string>>>(Type.Record(Type.String(), Type.String())),
  referrer: orNull(Type.String({ description: 'The host that the visitor came from' })),
  country: TextOrNull,
  device: Type.String(),
  placement: TextOrNull,
  variantId: TextOrNull,
  subscriberId: orNull(Type.String({ description: 'Who bought, and later who claimed it' })),
  startedAt: Type.String(),
  activeAt: Type.String({ description: 'The last step of the visitor' }),
  paidAt: TextOrNull,
  completedAt: orNull(Type.String({ description: 'When the visitor reached the end' })),
}

export const FunnelSessionSchema = Type.Object(session, { ...strict, title: 'FunnelSession' })

export const FunnelSessionDetailSchema = Type.Object(
  {
    ...session,
    answers: Type.Array(
      Type.Object(
        {
          fieldId: Type.String(),
          pageId: Type.String(),
          isSensitive: Type.Boolean(),
          value: Type.Unknown({ description: 'Null for a sensitive answer' }),
          answeredAt: Type.String(),
        },
        { ...strict, title: 'FunnelSessionAnswer' },
      ),
    ),
    payment: orNull(Type.Record(Type.String(), Type.Unknown())),
  },
  { ...strict, title: 'FunnelSessionWithAnswers' },
)

const Sum = Type.Object({ amountMicros: Type.Integer(), currency: Type.Literal('USD') }, strict)
const totals = {
  sessions: Type.Integer(),
  completed: Type.Integer(),
  paid: Type.Integer(),
  revenue: Sum,
  sandboxRevenue: Sum,
}

const Page = Type.Object(
  {
    id: Type.String(),
    views: Type.Integer(),
    advances: Type.Integer(),
    dropRate: orNull(
      Type.Number({
        description:
          'From 0 to 1, of sessions that stopped on the page, neither paid nor at the end; null when nobody saw it',
      }),
    ),
    medianSeconds: orNull(Type.Number()),
    ways: Type.Array(
      Type.Object({ to: Type.String(), sessions: Type.Integer() }, { ...strict, title: 'FunnelWayStats' }),
      {
        description: 'How many sessions went on to which page; one that went back and another way counts for that way',
      },
    ),
    fields: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          answered: Type.Integer(),
          answers: Type.Array(
            Type.Object(
              { value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]), count: Type.Integer() },
              { ...strict, title: 'FunnelAnswerCount' },
            ),
            { description: 'At most 100, the most frequent first; empty for what people write by themselves' },
          ),
        },
        { ...strict, title: 'FunnelFieldStats' },
      ),
    ),
  },
  { ...strict, title: 'FunnelPageStats' },
)

export const StatisticsSchema = Type.Unsafe<FunnelStatistics>(
  Type.Object(
    {
      ...totals,
      pages: Type.Array(Page),
      groups: Type.Array(Type.Object({ key: TextOrNull, ...totals }, { ...strict, title: 'FunnelGroupStats' }), {
        description: 'By groupBy, the largest first, at most 100; empty without it',
      }),
    },
    { ...strict, title: 'FunnelStats' },
  ),
)
