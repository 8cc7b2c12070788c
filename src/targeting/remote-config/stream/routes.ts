import { Type } from '@sinclair/typebox'
import type { Context } from '../../../base/context'
import { factsOf, knownAddress } from '../../../base/http/request'
import { MINUTE, SECOND } from '../../../base/lib/clock'
import { creationOf } from '../../../people/subscribers/creation'
import { deviceKeyOf } from '../../../people/subscribers/device-key'
import { subscriberOfDevice } from '../../../people/subscribers/service'
import { api } from '../../../projects/doors/api'
import type { Credential } from '../../../projects/project/key-ring'
import type { ProjectState } from '../../../projects/project/state'
import { environmentOf } from '../../flags/environment'
import { evaluate, everything } from '../service'
import type { Listener } from './client'
import type { Place } from './places'
import { credentialOfGrant, grantOf, hasToken, keyOfStream, targetOfGrant } from './token-access'

/** A connection on which not even pings arrive is ended after this time; the limit of Bun would be 30 s. */
const IDLE_SECONDS = (2 * MINUTE) / SECOND

const StreamQuery = Type.Object(
  {
    subscriberId: Type.Optional(Type.String({ maxLength: 255 })), // As long as the longest reference in a token.
    env: Type.Optional(
      Type.String({
        description: '`prod`, `staging` or `development`; takes precedence over the header. Default `prod`',
      }),
    ),
    ofrep: Type.Optional(
      Type.String({ maxLength: 8, description: '`1`: tell an OpenFeature provider to fetch again' }),
    ),
    st: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'Stream token of an evaluation; in place of the Authorization header',
      }),
    ),
  },
  { additionalProperties: true },
)

/** Flags and experiments as they change; a public key suffices. */
export const streamRoutes = (ctx: Context) =>
  api(ctx, { key: 'any', authenticate: (call) => keyOfStream(ctx, call) }).get(
    '/config/stream',
    async ({ project, key, request, query, set, server }) => {
      const hub = ctx.state.streamHub
      // Anybody has the public key of an app. The servers of a customer share an address and have the secret one.
      const address = key.presented === 'public' ? knownAddress(ctx, request, factsOf(request)) : null
      await hub.assertRoom(project.id, address)
      const { target, heldTag, ...found } = await listenerOf(ctx, project, request, query)
      const listener: Listener = { ...found.listener, address }
      const evaluation = await evaluate(ctx, project, target, everything(project, listener.env))
      set.headers['content-type'] = 'text/event-stream'
      set.headers['x-accel-buffering'] = 'no'
      if (request.method === 'HEAD') return new Response(null) // No client would read the stream or end it.
      const place = await ctx.state.streamPlaces.take(address)
      const client = openIn(place, () =>
        hub.open({ ...listener, place }, project, { subscriber: target.subscriber, evaluation }, heldTag),
      )
      server?.timeout(request, IDLE_SECONDS)
      request.signal.addEventListener('abort', () => hub.end(client), { once: true })
      if (request.signal.aborted) hub.end(client)
      return new Response(client.body)
    },
    {
      query: StreamQuery,
      detail: {
        tags: ['Remote config'],
        summary: 'Flags and experiments as they change',
        operationId: 'streamConfig',
        description: DESCRIPTION,
        'x-identity': 'config',
        'x-errors': ['NOT_FOUND', 'SUBSCRIBER_UNRESOLVABLE', 'CACHE_UNAVAILABLE'],
        responses: { 200: { description: 'The open stream.', content: { 'text/event-stream': { schema: EVENTS } } } },
      },
    },
  )

/** Opens a stream in its place, or gives the place back. */
function openIn<Client>(place: Place, open: () => Client): Client {
  try {
    return open()
  } catch (error) {
    place.give()
    throw error
  }
}

const EVENTS = {
  type: 'string',
  example: 'event: initial\ndata: {"flags":{},"experiments":{},"projectId":"prj_…"}\n\n',
} as const

const DESCRIPTION = `Server-sent events, for as long as the client stays: \`initial\` at once, \`invalidate\` after every
change of a flag, an experiment or an audience, \`ping\` every 25 s. The data of the first two is the whole
configuration with the \`projectId\`, without an envelope. \`Last-Event-ID\` is ignored: every connection begins with
\`initial\`. A client that reads too slowly is disconnected, and so is one whose key is revoked.`

async function listenerOf(ctx: Context, project: ProjectState, request: Request, query: Query) {
  const { headers } = request
  const isOfrep = query.ofrep === '1'
  if (hasToken(request)) {
    const grant = grantOf(ctx, request)
    const target = await targetOfGrant(ctx, grant, request)
    const credential = present(await credentialOfGrant(ctx, grant))
    const listener = {
      projectId: project.id,
      credential,
      deviceKey: target.deviceKey,
      reference: grant.presented === 'secret' ? grant.subscriber : null,
      env: grant.env,
      isOfrep,
    }
    return { target, listener, heldTag: grant.etag }
  }
  const env = environmentOf(headers, query)
  const deviceKey = deviceKeyOf('config', headers, query)
  const target = {
    deviceKey,
    subscriber: await subscriberOfDevice(ctx, project.id, deviceKey, creationOf(ctx, request)),
  }
  const credential = present(ctx.state.keys.credentialOf(headers.get('authorization')))
  const listener = { projectId: project.id, credential, deviceKey, reference: null, env, isOfrep }
  return { target, listener }
}

type Query = Record<string, string | undefined>

/** The key was checked before the handler. */
function present(credential: Credential | null): Credential {
  if (!credential) throw new Error('the key vanished while the stream was opened')
  return credential
}
