import { type Static, Type } from '@sinclair/typebox'
import { orNull } from '../../base/http/object-answer'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { oneOf } from '../../core/schema/object'
import { type Named, PersonRefSchema } from '../../people/purchases/person-ref'
import type { AttemptEntry } from '../deliveries/model'
import type { DeliveryRow } from '../deliveries/reopen'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })
const text = Type.String()

export const STATUSES = ['PENDING', 'DELIVERING', 'SUCCEEDED', 'FAILED', 'DEAD', 'DISMISSED', 'SKIPPED'] as const

const members = {
  id: text,
  endpointId: Type.String({ description: 'The webhook endpoint or the integration that it goes to' }),
  eventId: orNull(text),
  type: text,
  seq: orNull(Type.Integer()),
  subscriberId: orNull(text),
  status: oneOf(STATUSES),
  attempts: Type.Integer({ description: 'Attempts that have ended since it was made or retried' }),
  nextAttemptAt: orNull(
    Type.String({
      format: 'date-time',
      description: 'Null when it has ended, is being sent, or waits for an earlier one',
    }),
  ),
  lastStatusCode: orNull(Type.Integer()),
  lastError: orNull(text),
  skipReason: orNull(Type.String({ description: 'Why it is SKIPPED' })),
  isTest: Type.Boolean(),
  createdAt: time,
  updatedAt: time,
}

/** A delivery in lists and as the answer of what people do with it (wire 7.9). */
export const DeliveryView = Type.Object(members, { ...strict, title: 'Delivery' })

/** In the list, with who its event is about. */
export const ListedDelivery = Type.Object(
  {
    ...members,
    environment: orNull(Type.String({ description: 'Null for a test, and where the event is not kept any more' })),
    person: orNull(PersonRefSchema),
  },
  { ...strict, title: 'ListedDelivery' },
)

const Attempt = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When the attempt began' }),
    statusCode: orNull(Type.Integer()),
    error: orNull(text),
    durationMs: Type.Integer(),
    responseSnippet: orNull(Type.String({ description: 'The first 1 KiB of the answer' })),
  },
  { ...strict, title: 'DeliveryAttempt' },
)

/** One delivery with everything that is known of it. */
export const DeliveryDetail = Type.Object(
  {
    ...members,
    attemptsLog: Type.Array(Attempt),
    body: orNull(
      Type.String({ description: 'The body that an attempt would send now; null when its event is no longer kept' }),
    ),
  },
  { ...strict, title: 'DeliveryDetail' },
)

export function toDeliveryView(row: DeliveryRow): Static<typeof DeliveryView> {
  const { id, eventId, type, seq, subscriberId, status, attempts, lastStatusCode, lastError, skipReason, isTest } = row
  return {
    ...{ id, endpointId: row.targetId, eventId, type, seq, subscriberId, status, attempts },
    nextAttemptAt: status === 'PENDING' || status === 'FAILED' ? toIsoOrNull(row.dueAt) : null,
    ...{ lastStatusCode, lastError, skipReason, isTest },
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(changedAt(row)),
  }
}

/** When the row changed last, as far as it records that: it ended, an attempt ended, or it was made or retried. */
function changedAt({ createdAt, endedAt, status, dueAt, log }: DeliveryRow): number {
  const last = log.at(-1)
  const attemptedAt = last ? last.at + last.durationMs : 0
  const retriedAt = status === 'PENDING' ? (dueAt ?? 0) : 0
  return Math.max(createdAt, endedAt ?? 0, attemptedAt, retriedAt)
}

export const toDeliveryDetail = (row: DeliveryRow, body: string | null): Static<typeof DeliveryDetail> => ({
  ...toDeliveryView(row),
  attemptsLog: row.log.map(toAttempt),
  body,
})

const toAttempt = ({ at, statusCode, error, durationMs, responseSnippet }: AttemptEntry): Static<typeof Attempt> => ({
  ...{ at: toIso(at), statusCode, error, durationMs, responseSnippet },
})

export const toListedDelivery =
  (environments: ReadonlyMap<string, string>) =>
  ({ row, person }: Named<DeliveryRow>) => ({
    ...toDeliveryView(row),
    environment: environments.get(row.eventId ?? '') ?? null,
    person,
  })
