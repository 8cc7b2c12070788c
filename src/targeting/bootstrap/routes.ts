import { type TSchema, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { tagged } from '../../base/http/etag'
import { BalancesSchema } from '../../people/currencies/wire'
import { AccessMapSchema } from '../../people/subscribers/access-map'
import { creationOf } from '../../people/subscribers/creation'
import { deviceKeyOf } from '../../people/subscribers/device-key'
import { subscriberOfDevice } from '../../people/subscribers/service'
import { OfferingSchema } from '../../projects/catalog/wire'
import { api } from '../../projects/doors/api'
import { environmentOf } from '../flags/environment'
import { ConfigurationSchema, ENV_HEADER } from '../remote-config/wire'
import { makeParts, partsOf } from './parts'

const strict = { additionalProperties: false } as const

const BootstrapQuery = Type.Object(
  {
    include: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Some of `entitlements`, `config`, `offerings`, `balances`, separated by commas. Default: all',
        examples: ['entitlements,config'],
      }),
    ),
    env: Type.Optional(Type.String({ description: '`prod`, `staging` or `development`: whose flags. Default `prod`' })),
  },
  { additionalProperties: true },
)

const part = (schema: TSchema) => Type.Optional(Type.Union([schema, Type.Null()]))

const PartFault = Type.Object(
  { code: Type.String(), retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 1 })) },
  { ...strict, title: 'BootstrapFault' },
)
const fault = Type.Optional(PartFault)

const Bootstrap = Type.Object(
  {
    entitlements: part(Type.Object({ entitlements: AccessMapSchema }, strict)),
    config: part(ConfigurationSchema),
    offerings: part(Type.Object({ offerings: Type.Array(OfferingSchema) }, strict)),
    balances: part(BalancesSchema),
    errors: Type.Optional(
      Type.Object(
        { entitlements: fault, config: fault, offerings: fault, balances: fault },
        { ...strict, description: 'Why a part is null; present only when one is' },
      ),
    ),
  },
  { ...strict, title: 'Bootstrap' },
)

/** What an app reads at its start, in one call instead of four. */
export const bootstrapRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' }).get(
    '/me/bootstrap',
    async ({ project, request, query, set }) => {
      const { headers } = request
      const parts = partsOf(query.include)
      const env = environmentOf(headers, query)
      const deviceKey = deviceKeyOf('device', headers, {})
      const subscriber = await subscriberOfDevice(ctx, project.id, deviceKey, creationOf(ctx, request))
      const { data, errors } = await makeParts(ctx, parts, {
        ...{ project, env, target: { deviceKey, subscriber }, headers: set.headers },
      })
      if (Object.keys(errors).length > 0) return { data: { ...data, errors } }
      const route = `/v1/me/bootstrap?include=${parts.join()}`
      return tagged(request, set, { subscriberId: subscriber.id, route }, { data })
    },
    {
      query: BootstrapQuery,
      response: Type.Object({ data: Bootstrap }, strict),
      detail: {
        tags: ['Subscribers'],
        'x-identity': 'device',
        'x-tagged': true,
        'x-experiment': true,
        'x-errors': ['SUBSCRIBER_UNRESOLVABLE'],
        parameters: [ENV_HEADER],
        summary: 'What an app reads at its start',
        description:
          'Entitlements, configuration, offerings and balances in one answer. Each part is the `data` of its own call. A part that cannot be read now is null, and `errors` has its code; such an answer has no ETag. Reading configuration has the same effects as `GET /v1/config`.',
        operationId: 'getMyBootstrap',
      },
    },
  )
