import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../base/lib/time'
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
  receivedAt: time,
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
  const { id, store, type, notificationId, environment, status, error, receivedAt, processedAt, leasedUntil } = row
  const isDead = status === 'PROCESSING' && (leasedUntil ?? 0) < now
  return {
    id,
    store,
    type,
    notificationId,
    environment,
    status: isDead ? 'FAILED' : status,
    receivedAt: toIso(receivedAt),
    error,
    createdAt: toIso(receivedAt),
    updatedAt: toIso(processedAt ?? receivedAt),
  }
}
