import { Type } from '@sinclair/typebox'
import { SumOfInt64 } from '../../base/http/int64-schema'
import { listQuery } from '../../base/http/list'
import { orNull, REVISED } from '../../base/http/object-answer'
import { toJsonInteger } from '../../base/lib/int64'
import { oneOf } from '../../core/schema/object'
import { PersonRefSchema } from '../../people/purchases/person-ref'
import type { PersonRef } from '../../projects/project/refs'
import { ENVIRONMENTS } from '../cohorts/operator-wire'
import type { EntryPage } from './entries'
import { METRICS, WINDOWS } from './model'

const strict = { additionalProperties: false } as const

const identifier = Type.String({ minLength: 1, maxLength: 64, examples: ['top_spenders'] })
const name = Type.String({ minLength: 1, maxLength: 255 })
const metric = oneOf(METRICS, {
  description: 'currency: balances, or with a window what was earned; spend: USD micros, net; event: how often',
})
const currencyId = orNull(Type.String({ minLength: 1, maxLength: 64, description: 'Required for currency' }))
const eventType = orNull(
  Type.String({ minLength: 1, maxLength: 136, description: 'Required for event: of the feed, or of your apps' }),
)
const window = oneOf(WINDOWS, {
  description:
    'Since ever, or since the beginning of the day, week (from Monday) or month in the time zone of the project',
})

export const LeaderboardBody = Type.Object(
  { identifier, name, metric, currencyId: Type.Optional(currencyId), eventType: Type.Optional(eventType), window },
  { ...strict, title: 'LeaderboardRequest' },
)

const members = { identifier, name, metric, currencyId, eventType, window }

export const LeaderboardPatch = Type.Partial(Type.Object(members), { ...strict, title: 'LeaderboardChange' })

export const LeaderboardSchema = Type.Object(
  {
    id: Type.String(),
    ...members,
    computedAt: orNull(Type.String({ format: 'date-time', description: 'When the entries were last computed' })),
    ...REVISED,
  },
  { ...strict, title: 'Leaderboard' },
)

export const EntryQuery = Type.Object(
  {
    ...listQuery,
    environment: Type.Optional(
      oneOf(ENVIRONMENTS, {
        description: 'PRODUCTION when absent; balances and app events are PRODUCTION',
      }),
    ),
  },
  strict,
)

export const EntrySchema = Type.Object(
  {
    rank: Type.Integer({ minimum: 1, description: '1 + the number of people with a higher value' }),
    subscriberId: Type.String(),
    appUserId: orNull(Type.String()),
    person: PersonRefSchema,
    value: SumOfInt64('More than 0'),
  },
  { ...strict, title: 'LeaderboardEntry' },
)

export const toEntryView = ({ rank, value, row, person }: EntryPage['entries'][number] & { person: PersonRef }) => ({
  rank,
  subscriberId: row.id,
  appUserId: row.appUserId,
  person,
  value: toJsonInteger(value),
})
