import { Type } from '@sinclair/typebox'
import { type DocumentDecoration, Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { checkAttributes, setAttributes } from '../../people/subscribers/attributes-service'
import { creationOf } from '../../people/subscribers/creation'
import { deviceKeyOf } from '../../people/subscribers/device-key'
import { resolveDevice, subscriberOfDevice } from '../../people/subscribers/service'
import { api } from '../../projects/doors/api'
import { type CachedAnswer, cached } from '../../projects/doors/cached'
import { environmentOf } from '../flags/environment'
import { toConfiguration } from './evaluate'
import { evaluate, evaluateConfig, everything } from './service'
import { ConfigurationSchema, ENV_HEADER } from './wire'

const strict = { additionalProperties: false } as const
const lenient = { additionalProperties: true } as const

const ConfigQuery = Type.Object(
  {
    subscriberId: Type.Optional(Type.String({ maxLength: 128 })),
    env: Type.Optional(
      // Without a maximum length: the refusal of `environmentOf` is clearer.
      Type.String({
        description:
          '`prod`, `staging` or `development`: whose flags; takes precedence over the header. Default `prod`',
      }),
    ),
  },
  lenient,
)

const ConfigBody = Type.Object(
  {
    attributes: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Key to string, or null to delete; saved, and used for this answer',
      }),
    ),
  },
  lenient,
)

const ConfigAnswer = Type.Object({ data: ConfigurationSchema }, strict)

const documented: DocumentDecoration = {
  tags: ['Remote config'],
  'x-identity': 'config',
  'x-errors': ['SUBSCRIBER_UNRESOLVABLE'],
  parameters: [ENV_HEADER],
}

/** Flags and experiments for the calling device; a public key suffices. */
export const remoteConfigRoutes = (ctx: Context) => {
  const answer = cached(ctx, {
    route: '/v1/config',
    headers: ['x-svc-env', 'x-svc-user-id'],
    onHit: (callerId, now) => ctx.state.presence.see(callerId, now),
  })
  return new Elysia().use(readRoute(ctx, answer)).use(writeRoute(ctx))
}

const readRoute = (ctx: Context, answer: CachedAnswer) =>
  api(ctx, { key: 'any' }).get(
    '/config',
    async ({ project, request, query, set }) => {
      const { headers } = request
      const env = environmentOf(headers, query)
      const deviceKey = deviceKeyOf('config', headers, query)
      return answer({ project, request, set }, async () => {
        const { row: subscriber, ids } = await resolveDevice(ctx, project.id, deviceKey, creationOf(ctx, request))
        const evaluation = await evaluate(ctx, project, { deviceKey, subscriber }, everything(project, env))
        const { isSettled, at, changesAt, purchaseIds } = evaluation
        const made = { callerId: subscriber.id, rowIds: [...ids, ...purchaseIds], at, changesAt, isSettled }
        return { ...made, payload: { data: toConfiguration(evaluation) } }
      })
    },
    {
      query: ConfigQuery,
      response: ConfigAnswer,
      detail: { ...documented, 'x-tagged': true, summary: 'Flags and experiments', operationId: 'getConfig' },
    },
  )

const writeRoute = (ctx: Context) =>
  api(ctx, { key: 'any', idempotency: { unkept: 'RUN' } }).post(
    '/config',
    async ({ project, request, query, body, replayed }) => {
      const { headers } = request
      const { attributes = {} } = body
      const env = environmentOf(headers, query)
      const deviceKey = deviceKeyOf('config', headers, query)
      checkAttributes(ctx, project, attributes)
      const row = await subscriberOfDevice(ctx, project.id, deviceKey, creationOf(ctx, request))
      const subscriber = replayed ? row : await setAttributes(ctx, project, row, attributes, { source: 'sdk' })
      return { data: await evaluateConfig(ctx, project, { subscriber, deviceKey }, env) }
    },
    {
      query: ConfigQuery,
      body: ConfigBody,
      response: ConfigAnswer,
      detail: { ...documented, summary: 'Set attributes, then flags and experiments', operationId: 'postConfig' },
    },
  )
