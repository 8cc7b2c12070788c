import { Type } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import type { Context } from '../../../base/context'
import { etagOf, taggedAs, writeTag } from '../../../base/http/etag'
import { headerText } from '../../../base/http/parameters'
import { api, type Caller, checkKey } from '../../../projects/doors/api'
import { environmentOf } from '../../flags/environment'
import { type StreamGrant, writeStreamToken } from '../stream-token'
import { BULK_ROUTE } from './bulk'
import { readContext } from './context'
import { OfrepRefusal } from './refusal'
import { evaluateAll, evaluateOne, type OfrepTarget, targetOf } from './service'
import { AnswerSchema, BulkSchema } from './wire'

const lenient = { additionalProperties: true } as const

const OfrepQuery = Type.Object(
  {
    env: Type.Optional(
      // Without a maximum length: the refusal of `environmentOf` is clearer.
      Type.String({ description: '`prod`, `staging` or `development`: whose flags; takes precedence over the header' }),
    ),
  },
  lenient,
)

const OfrepBody = Type.Object(
  {
    context: Type.Optional(
      Type.Unknown({
        description:
          '`targetingKey` is the device key; with a secret key any subscriber reference. Other texts, numbers and booleans are attributes of this call alone, and win over saved ones',
      }),
    ),
  },
  lenient,
)

const documented = {
  tags: ['Remote config'],
  'x-errors': ['FORBIDDEN', 'SUBSCRIBER_UNRESOLVABLE'],
  'x-example-request': { context: { targetingKey: 'svc_8fK2mQ7xLw', country: 'TR' } },
  parameters: [
    headerParameter('X-API-Key', 'The API key, in place of `Authorization: Bearer`.'),
    headerParameter('X-Svc-Env', 'As query `env`, where that is not given.'),
  ],
} satisfies DocumentDecoration

/** OpenFeature Remote Evaluation Protocol: flags and running experiments by key, one or all of them. */
export const ofrepRoutes = (ctx: Context) =>
  api(ctx, {
    key: 'any',
    takesReference: true,
    idempotency: { unkept: 'RUN' },
    authenticate: (call) => checkKey(ctx, call, authorizationOf(call.request.headers)),
  })
    .post(
      '/ofrep/v1/evaluate/flags/:key',
      async ({ project, key, params, request, query, body }) => {
        const who = await ofrepTargetOf(ctx, key, request.headers, query, body)
        const answer = await evaluateOne(ctx, project, who, params.key)
        if (!answer) throw new OfrepRefusal('FLAG_NOT_FOUND', 'There is no such flag or running experiment', params.key)
        return answer
      },
      {
        query: OfrepQuery,
        body: OfrepBody,
        response: AnswerSchema,
        detail: {
          ...documented,
          summary: 'Evaluate one flag or experiment (OFREP)',
          description:
            'A disabled flag gives its default; a running experiment that the subscriber is not in gives the value of its control with the reason `UNKNOWN` and `metadata.svcReason` `DEFAULT`.',
          operationId: 'ofrepEvaluateFlag',
          responses: {
            400: failure('The context is missing or not usable, or the body could not be read.', 'INVALID_CONTEXT'),
            404: failure('There is no such flag or running experiment.', 'FLAG_NOT_FOUND'),
          },
        },
      },
    )
    .post(
      '/ofrep/v1/evaluate/flags',
      async ({ project, key, request, query, body, set }) => {
        const who = await ofrepTargetOf(ctx, key, request.headers, query, body)
        const flags = await evaluateAll(ctx, project, who)
        const etag = etagOf(who.isUnknown ? null : who.target.subscriber.id, BULK_ROUTE, flags)
        const grant = grantFor(key, who, etag)
        if (ctx.state.streamOffers.isFresh(grant, ctx.clock.now())) taggedAs(request, set, etag, flags)
        else writeTag(set.headers, etag)
        const url = streamUrl(ctx, request, grant)
        return {
          flags,
          metadata: { projectId: project.id },
          eventStreams: [{ type: 'sse' as const, url, inactivityDelaySec: 120 }],
        }
      },
      {
        query: OfrepQuery,
        body: OfrepBody,
        response: BulkSchema,
        detail: {
          ...documented,
          'x-tagged': true,
          summary: 'Evaluate all flags and experiments (OFREP)',
          description:
            'Disabled flags and experiments that the subscriber is not in are absent. The tag covers `flags` alone; a client whose stream address is about to end is answered in full, so that it gets a new one.',
          operationId: 'ofrepEvaluateFlags',
          responses: {
            400: failure('The context is missing or not usable, or the body could not be read.', 'INVALID_CONTEXT'),
          },
        },
      },
    )

/**
 * Clients of OFREP may send the key as `X-API-Key` (wire 2.23). Another scheme of Authorization is not for svc; a proxy
 * may use it.
 */
function authorizationOf(headers: Headers): string | null {
  const authorization = headers.get('authorization')
  const apiKey = headerText(headers, 'x-api-key')
  return apiKey === null || /^\s*bearer\s/i.test(authorization ?? '') ? authorization : `Bearer ${apiKey}`
}

/** A stream is for one subscriber, one environment and one key. */
function grantFor(key: Caller['key'], { targetingKey, env }: OfrepTarget, etag: string): StreamGrant {
  const { projectId, id: keyId, presented } = key
  return { projectId, keyId, presented, subscriber: targetingKey, env, etag }
}

/** The address of the stream that reports changes. It is recorded that the client has got it. */
function streamUrl(ctx: Context, request: Request, grant: StreamGrant): string {
  const now = ctx.clock.now()
  ctx.state.streamOffers.note(grant, now)
  const st = writeStreamToken(ctx.mac, grant, now)
  const baseUrl = ctx.config.publicBaseUrl ?? new URL(request.url).origin
  return `${baseUrl}/v1/config/stream?ofrep=1&subscriberId=${encodeURIComponent(grant.subscriber)}&st=${st}`
}

async function ofrepTargetOf(
  ctx: Context,
  key: Caller['key'],
  headers: Headers,
  query: { env?: string },
  body: { context?: unknown },
): Promise<OfrepTarget> {
  const env = environmentOf(headers, query)
  const { targetingKey, attributes } = readContext(body.context, key.presented)
  return { ...(await targetOf(ctx, key, targetingKey)), targetingKey, env, extra: attributes }
}

function headerParameter(name: string, description: string) {
  const schema = { type: 'string', maxLength: 128 } as const
  return { name, in: 'header', description, required: false, schema } as const
}

/** A refusal as the protocol defines it, without the envelope of the other routes. */
function failure(description: string, errorCode: string) {
  const text = { type: 'string' as const }
  const schema = {
    type: 'object' as const,
    properties: { key: text, errorCode: text, errorDetails: text },
    required: ['errorCode'],
    additionalProperties: false,
  }
  const example = { key: 'new_checkout', errorCode }
  return { description, content: { 'application/json': { schema, example } } }
}
