import { type Static, Type } from '@sinclair/typebox'
import { orNull } from '../../base/http/object-answer'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { ForwardRow } from '../../projects/connections/forwards/forwards'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })

const StoreSchema = Type.Union([Type.Literal('IOS_STORE'), Type.Literal('ANDROID_STORE'), Type.Literal('PAYMENT')], {
  description: 'Whose notifications are forwarded',
})
const Url = { description: 'Gets every notification byte for byte' }

export const ForwardBody = Type.Object(
  { store: StoreSchema, url: Type.String({ minLength: 1, maxLength: 2048, ...Url }) },
  { ...strict, title: 'NotificationForwardRequest' },
)

export const ForwardSchema = Type.Object(
  {
    id: Type.String(),
    store: StoreSchema,
    url: Type.String(Url),
    lastStatus: orNull(Type.Integer({ description: 'HTTP status of the last answer; null without one' })),
    lastAt: orNull(time),
    failures24h: Type.Integer({ description: 'Attempts of the last 24 hours that failed' }),
    createdAt: time,
    updatedAt: time,
  },
  { ...strict, title: 'NotificationForward' },
)

export type ForwardView = Static<typeof ForwardSchema>

export const toForwardView = (row: ForwardRow, failures24h: number): ForwardView => ({
  id: row.id,
  store: row.store,
  url: row.url,
  lastStatus: row.lastStatus,
  lastAt: toIsoOrNull(row.lastAt),
  failures24h,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.createdAt),
})
