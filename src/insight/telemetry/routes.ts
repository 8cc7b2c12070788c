import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { type Answer, bare } from '../../base/http/pipeline'
import { creationOf } from '../../people/subscribers/creation'
import { checkDeviceKey, findDeviceKey } from '../../people/subscribers/device-key'
import { api } from '../../projects/doors/api'
import { recordClientEvent } from './client-events'
import { recordSessions } from './sessions'
import { ClientEventBody, readClientEvent, readSessionEvents, SessionBody } from './wire'

const tags = ['Telemetry']
const Taken = {
  202: Type.Void({
    description: 'Taken; there is no body. With the header X-Svc-Dropped: 1 it was dropped, by the budget.',
  }),
}

/** What apps report of themselves. Both calls answer 202 without a body. */
export const telemetryRoutes = (ctx: Context) => new Elysia().use(sessionRoutes(ctx)).use(eventRoutes(ctx))

/** What was dropped over the budget of the project is taken too: an app that gets a refusal sends it again. */
function taken(set: Answer, isSaved: boolean): Response {
  if (!isSaved) set.headers['x-svc-dropped'] = '1'
  return bare(202, set)
}

const sessionRoutes = (ctx: Context) =>
  api(ctx, { key: 'public' }).post(
    '/sdk/sessions',
    async ({ project, request, body, set }) => {
      const deviceKey = checkDeviceKey(body.subscriberId.trim(), 'subscriberId')
      const events = readSessionEvents(body)
      const isTaken = await recordSessions(ctx, project.id, deviceKey, events, creationOf(ctx, request))
      return taken(set, isTaken)
    },
    {
      body: SessionBody,
      response: Taken,
      detail: {
        tags,
        'x-errors': ['STALE_BATCH', 'TELEMETRY_UNAVAILABLE'],
        summary: 'Report sessions',
        description:
          'Events from more than 48 hours ago or more than 5 minutes ahead are dropped; equal events are saved once. Keep the batch after a 503, and drop it after a 400 or 422.',
        operationId: 'reportSessions',
      },
    },
  )

const eventRoutes = (ctx: Context) =>
  api(ctx, { key: 'public', idempotency: { hidesBody: true } }).post(
    '/events',
    async ({ project, request, body, set }) => {
      const { event, traits } = readClientEvent(body)
      const deviceKey = findDeviceKey('body', request.headers, { subscriberId: body.subscriberId ?? '' })
      const call = { projectId: project.id, deviceKey, creation: creationOf(ctx, request) }
      return taken(set, await recordClientEvent(ctx, call, event, traits))
    },
    {
      body: ClientEventBody,
      response: Taken,
      detail: {
        tags,
        'x-identity': 'body',
        'x-errors': ['TELEMETRY_UNAVAILABLE'],
        summary: 'Report an event of the app',
        description:
          'It is saved and passed on to the integrations; it never counts as money. Signals of a person are hashed before anything is stored. A repeated eventId is dropped.',
        operationId: 'trackEvent',
      },
    },
  )
