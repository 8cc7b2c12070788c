import { Type } from '@sinclair/typebox'
import { toIso } from '../../base/lib/time'
import type { EventRow } from './queries'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })
const textOrNull = Type.Union([Type.String(), Type.Null()])
const image = Type.Unknown({
  description:
    'purchase (of purchase.* events), access and balances (64-bit integers, which may exceed 2^53); null when there is none',
})

export const EventSchema = Type.Object(
  {
    id: Type.String(),
    seq: Type.Union([Type.Integer(), Type.Null()], { description: 'Gapless per subscriber' }),
    type: Type.String(),
    projectId: Type.String(),
    subscriberId: textOrNull,
    appUserId: textOrNull,
    environment: Type.String(),
    occurredAt: time,
    recordedAt: time,
    cause: Type.Object(
      { kind: Type.String(), ref: textOrNull, store: textOrNull, detail: textOrNull },
      { ...strict, title: 'EventCause' },
    ),
    before: image,
    after: image,
    data: Type.Record(Type.String(), Type.Unknown()),
  },
  { ...strict, title: 'Event' },
)

/** An event as wire 5.9 defines it. Its position in the feed is not part of it; only the cursor holds a position. */
export const toEventView = (row: EventRow) => ({
  id: row.id,
  seq: row.seq,
  type: row.type,
  projectId: row.projectId,
  subscriberId: row.subscriberId,
  appUserId: row.appUserId,
  environment: row.environment,
  occurredAt: toIso(row.occurredAt),
  recordedAt: toIso(row.recordedAt),
  cause: row.cause,
  before: row.before,
  after: row.after,
  data: row.data,
})

/** The filters of the feed, and of the list and the stream of the dashboard. */
export const eventFilters = {
  types: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2000, description: 'Comma list; a trailing * stands for any ending' }),
  ),
  subscriberId: Type.Optional(
    Type.String({
      pattern: '^sub_[0-9a-hjkmnp-tv-z]{26}$',
      description: 'Only events of this subscriber: a `sub_` id',
    }),
  ),
}
