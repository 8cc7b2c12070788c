import { Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { dataAnswer } from '../../base/http/object-answer'
import { oneOf } from '../../core/schema/object'
import type { PurchaseEnvironment } from '../../stores/observation'
import { STATUSES } from './wire'

const strict = { additionalProperties: false } as const
const id = Type.String({ minLength: 1, maxLength: 64 })
const time = Type.String({ minLength: 1, maxLength: 40, description: 'ISO 8601' })

/** One type, a prefix of types such as `purchase.*`, or `*`. */
const TYPE = '^(?:(?:[a-z_]+\\.)*\\*|[a-z_]+(?:\\.[a-z_]+)*)$'

export const DeliveryQuery = Type.Object(
  {
    ...listQuery,
    endpointId: Type.Optional(id),
    status: Type.Optional(oneOf(STATUSES)),
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Event type' })),
    subscriberId: Type.Optional(id),
    environment: Type.Optional(
      oneOf<PurchaseEnvironment>(['PRODUCTION', 'SANDBOX'], {
        description: 'Of their events. Tests, and deliveries whose event is not kept any more, are in both',
      }),
    ),
  },
  strict,
)

export const DeliveryParams = Type.Object({ id: Type.String({ maxLength: 64 }) }, { additionalProperties: true })

export const NoBody = Type.Object({}, strict)

export const ReplayBody = Type.Object(
  {
    endpointId: id,
    from: time,
    to: time,
    types: Type.Optional(
      Type.Array(Type.String({ maxLength: 64, pattern: TYPE }), {
        maxItems: 50,
        description: 'Only these of the types that the endpoint gets, such as purchase.renewed or purchase.*',
      }),
    ),
  },
  strict,
)

export const ReplayAnswer = dataAnswer(
  Type.Object(
    { queued: Type.Integer({ minimum: 0, description: 'Deliveries that are made, or will be in the next minutes' }) },
    { ...strict, title: 'Replay' },
  ),
)
