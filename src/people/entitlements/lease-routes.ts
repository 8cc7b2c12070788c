import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { queryInteger } from '../../base/http/parameters'
import { api } from '../../projects/doors/api'
import { creationOf } from '../subscribers/creation'
import { deviceKeyOf } from '../subscribers/device-key'
import { subscriberOfDevice } from '../subscribers/service'
import { issueLease } from './lease'

const strict = { additionalProperties: false } as const

const LeaseQuery = Type.Object(
  {
    ttl: Type.Optional(
      queryInteger('ttl', { minimum: 60, maximum: 2592000, description: 'Seconds; the project caps it' }),
    ),
  },
  { additionalProperties: true },
)

const LeaseAnswer = Type.Object(
  {
    data: Type.Object(
      {
        lease: Type.String({ description: 'JWT, EdDSA; its key is in /.well-known/jwks.json' }),
        expiresAt: Type.String({ format: 'date-time' }),
        kid: Type.String(),
      },
      { ...strict, title: 'AccessLease' },
    ),
  },
  strict,
)

/** The access of the calling device as a signed lease, which can be verified without a network. */
export const leaseRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' }).get(
    '/me/access-lease',
    async ({ project, request, query }) => {
      const deviceKey = deviceKeyOf('device', request.headers, {})
      const subscriber = await subscriberOfDevice(ctx, project.id, deviceKey, creationOf(ctx, request))
      const issuer = ctx.config.publicBaseUrl ?? new URL(request.url).origin
      const order = { project, subscriber, deviceKey, ttlSeconds: query.ttl ?? null, issuer }
      return { data: await issueLease(ctx, order) }
    },
    {
      query: LeaseQuery,
      response: LeaseAnswer,
      detail: {
        tags: ['Subscribers'],
        'x-identity': 'device',
        'x-errors': ['SUBSCRIBER_UNRESOLVABLE'],
        summary: 'Signed access for offline use',
        description:
          'Verify the signature, exp, and the exp of each access. Longer ttl than the project allows is cut.',
        operationId: 'getMyAccessLease',
      },
    },
  )
