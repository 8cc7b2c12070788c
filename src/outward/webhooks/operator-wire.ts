import { type Static, Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { orNull, REVISED } from '../../base/http/object-answer'
import { oneOf } from '../../core/schema/object'
import type { EndpointInput } from './admin'
import { ENVIRONMENTS, FORMATS, MAX_AUTHORIZATION_CHARACTERS, MAX_TYPES, MAX_URL_CHARACTERS } from './model'

const strict = { additionalProperties: false } as const

export const EndpointListQuery = Type.Object(listQuery, strict)

const members = {
  name: Type.String({ minLength: 1, maxLength: 255, description: 'Each endpoint of a project has another' }),
  url: Type.String({ minLength: 1, maxLength: MAX_URL_CHARACTERS, description: 'https, public, without secrets' }),
  eventTypes: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    maxItems: MAX_TYPES,
    description: '*, event types, or beginnings of them such as purchase.*',
  }),
  environments: Type.Optional(
    Type.Array(oneOf(ENVIRONMENTS), { minItems: 1, maxItems: 2, description: 'Default: both' }),
  ),
  ordered: Type.Optional(
    Type.Boolean({
      description: 'One delivery after the other for each subscriber, in the order of seq. Default: false',
    }),
  ),
  format: Type.Optional(
    oneOf(FORMATS, { description: 'revenuecat: for a receiver that was written for that vendor. Default: standard' }),
  ),
  authorization: Type.Optional(
    orNull(
      Type.String({
        minLength: 1,
        maxLength: MAX_AUTHORIZATION_CHARACTERS,
        description: 'Sent as Authorization with format revenuecat; never shown again. null removes it',
      }),
    ),
  ),
  isEnabled: Type.Optional(Type.Boolean({ description: 'Default: true' })),
}
export const EndpointBody = Type.Object(members, { ...strict, title: 'WebhookEndpointRequest' })
export const EndpointPatch = Type.Partial(Type.Object(members), { ...strict, title: 'WebhookEndpointChange' })

const view = {
  id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  eventTypes: Type.Array(Type.String()),
  environments: Type.Array(oneOf(ENVIRONMENTS)),
  ordered: Type.Boolean(),
  format: oneOf(FORMATS),
  isEnabled: Type.Boolean(),
  disabledReason: orNull(
    oneOf(['GONE', 'FAILING'] as const, {
      description: 'Why svc has switched it off: it answered 410, or nothing succeeded for five days',
    }),
  ),
  secretLast4: Type.String({ description: 'The last four characters of the signing secret' }),
  previousValidUntil: orNull(
    Type.String({
      format: 'date-time',
      description:
        'After a rotation: until then the secret before signs too, and another rotation ends it at once. Else null',
    }),
  ),
  successRate24h: orNull(Type.Number({ description: '0 to 1; null when nothing was sent in the last 24 hours' })),
  ...REVISED,
}
export const EndpointSchema = Type.Object(view, { ...strict, title: 'WebhookEndpoint' })

const secret = Type.String({ description: 'whsec_…, the key of the signatures. Shown once' })
export const CreatedEndpointSchema = Type.Object({ ...view, secret }, { ...strict, title: 'CreatedWebhookEndpoint' })

export const RotatedSecretSchema = Type.Object(
  { secret, previousValidUntil: Type.String({ description: 'Until then the secret before signs too. ISO 8601' }) },
  { ...strict, title: 'RotatedWebhookSecret' },
)

export const NoMembers = Type.Object({}, strict)

/** The members of a request under the names of the services. */
export const toInput = <Body extends Partial<Static<typeof EndpointBody>>>({
  ordered,
  ...body
}: Body): Omit<Body, 'ordered'> & Pick<EndpointInput, 'isOrdered'> => ({
  ...body,
  ...(ordered !== undefined && { isOrdered: ordered }),
})
