import { type Static, Type } from '@sinclair/typebox'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { StoreEventRow } from './replay'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })

export const StoreSchema = Type.Union([
  Type.Literal('IOS_STORE'),
  Type.Literal('ANDROID_STORE'),
  Type.Literal('PAYMENT'),
])

export const StoreEventStatusSchema = Type.Union([
  Type.Literal('RECEIVED'),
  Type.Literal('PROCESSING'),
  Type.Literal('PROCESSED'),
  Type.Literal('FAILED'),
  Type.Literal('IGNORED'),
])

const environment = Type.Union([Type.Literal('PRODUCTION'), Type.Literal('SANDBOX')])

export const EnvironmentFilter = Type.Union(environment.anyOf, {
  description: 'Notifications that name no environment are in both',
})

const members = {
  id: Type.String(),
  store: Type.String(),
  type: Type.String(),
  notificationId: Type.String({ description: "The store's own id of it" }),
  environment: Type.Union([...environment.anyOf, Type.Null()], {
    description: 'Null where neither the notification nor the purchase that it names says it',
  }),
  status: StoreEventStatusSchema,
  attempts: Type.Integer({ minimum: 0, description: 'How often its processing started' }),
  eventAt: Type.Union([time, Type.Null()], { description: 'When the store wrote it, where it says so' }),
  receivedAt: time,
  processedAt: Type.Union([time, Type.Null()]),
  error: Type.Union([Type.String(), Type.Null()]),
  createdAt: time,
  updatedAt: time,
}

export const StoreEvent = Type.Object(members, { ...strict, title: 'StoreEvent' })

export const StoreEventDetail = Type.Object(
  { ...members, body: Type.String({ description: 'As the store has sent it' }) },
  { ...strict, title: 'StoreEventDetail' },
)

/** One whose processing died counts as failed (wire 4.3). */
export function toStoreEventView(row: StoreEventRow, now: number): Static<typeof StoreEvent> {
  const { id, store, type, notificationId, environment, status, attempts, error, receivedAt, processedAt } = row
  const isDead = status === 'PROCESSING' && (row.leasedUntil ?? 0) < now
  return {
    id,
    store,
    type,
    notificationId,
    environment,
    status: isDead ? 'FAILED' : status,
    attempts,
    eventAt: toIsoOrNull(row.eventAt),
    receivedAt: toIso(receivedAt),
    processedAt: toIsoOrNull(processedAt),
    error,
    createdAt: toIso(receivedAt),
    updatedAt: toIso(processedAt ?? receivedAt),
  }
}

/** A time that a call gives, with any zone. */
export const instantOf = (description: string) => Type.String({ maxLength: 40, description })

/** The stores that keep a history, and what is fetched of it. */
export const FetchBody = Type.Object(
  {
    store: Type.Union([Type.Literal('IOS_STORE'), Type.Literal('PAYMENT')]),
    environment: Type.Optional(
      Type.Union(environment.anyOf, { description: 'Of the iOS store; PRODUCTION by default' }),
    ),
    from: Type.Optional(instantOf('ISO 8601, an instant at the store, included')),
    to: Type.Optional(instantOf('ISO 8601, an instant at the store, included')),
    page: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2000, description: 'The page at which an earlier fetch stopped' }),
    ),
  },
  strict,
)

const count = Type.Integer({ minimum: 0 })

export const FetchedHistory = Type.Object(
  {
    new: count,
    known: count,
    failed: count,
    missing: Type.Integer({ minimum: 0, description: 'How many of them were not in the inbox before' }),
    unanswered: Type.Integer({ minimum: 0, description: 'How many wait, because the store did not answer about them' }),
    reasons: Type.Array(Type.Object({ reason: Type.String(), count }, strict)),
    stopped: Type.Union([
      Type.Object({ reason: Type.String(), page: Type.Union([Type.String(), Type.Null()]) }, strict),
      Type.Null(),
    ]),
    from: time,
    to: time,
  },
  { ...strict, title: 'FetchedStoreHistory' },
)
