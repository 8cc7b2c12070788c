import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { invalid, notFound } from '../../base/errors'
import { dataAnswer } from '../../base/http/object-answer'
import { queryInstant } from '../../base/http/parameters'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { MAX_INSTANT } from '../../core/time/iso'
import { readFeed } from '../../people/events/feed'
import { readTypes } from '../../people/events/feed-types'
import { EventSchema, eventFilters, toEventView } from '../../people/events/feed-wire'
import { findEvent } from '../../people/events/range-queries'
import { isStillAdmitted, operator } from '../../projects/doors/operator'
import { listRoute } from './list-route'

const strict = { additionalProperties: false } as const
const tags = ['Webhooks']
const GUARD = { role: 'CUSTOMER_SUPPORT' } as const

const StreamQuery = Type.Object(
  {
    ...eventFilters,
    after: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'A cursor of the feed or of an earlier stream' }),
    ),
    since: Type.Optional(
      Type.String({ maxLength: 40, description: 'Instead of after: begin with the events recorded at or after it' }),
    ),
  },
  strict,
)

/** The events of a project: what happened, and what happens (wire 7.9). */
export const eventLogRoutes = (ctx: Context) =>
  new Elysia().use(listRoute(ctx)).use(streamRoute(ctx)).use(oneRoute(ctx))

const oneRoute = (ctx: Context) =>
  operator(ctx, GUARD).get(
    '/events/:id',
    async ({ project, params }) => {
      const event = await findEvent(ctx, project.id, params.id)
      if (!event) throw notFound('event', params.id)
      return { data: toEventView(event) }
    },
    {
      response: dataAnswer(EventSchema),
      detail: {
        tags,
        summary: 'One event',
        description: '404 also for an event that is not kept any more.',
        operationId: 'getProjectEvent',
      },
    },
  )

/** A connection on which not even pings arrive is ended after this time; the limit of Bun would be 30 s. */
const IDLE_SECONDS = (2 * MINUTE) / SECOND

/** Events that are read before the stream opens. */
const FIRST_PAGE = 100

const streamRoute = (ctx: Context) =>
  operator(ctx, GUARD).get(
    '/events/stream',
    async ({ project, user, query, request, set, server }) => {
      const streams = ctx.state.eventStreams
      streams.assertRoom(project.id)
      const filter = { projectId: project.id, types: readTypes(query.types), subscriberId: query.subscriberId ?? null }
      const { signal } = request
      const page = await readFeed(ctx, project, {
        filter,
        ...startOf(query, request),
        limit: FIRST_PAGE,
        waitMs: 0,
        signal,
      })
      set.headers['content-type'] = 'text/event-stream'
      set.headers['x-accel-buffering'] = 'no'
      if (request.method === 'HEAD') return new Response(null) // No client would read the stream or end it.
      const client = streams.open({ projectId: project.id, userId: user.id }, filter, page, () =>
        isStillAdmitted(ctx, GUARD, request, project.id),
      )
      server?.timeout(request, IDLE_SECONDS)
      signal.addEventListener('abort', () => streams.end(client), { once: true })
      if (signal.aborted) streams.end(client)
      return new Response(client.body)
    },
    {
      query: StreamQuery,
      detail: {
        tags,
        summary: 'Events of the project as they happen',
        operationId: 'streamProjectEvents',
        description: DESCRIPTION,
        'x-errors': ['HTTP_ERROR', 'RATE_LIMITED'],
        responses: { 200: { description: 'The open stream.', content: { 'text/event-stream': { schema: EVENTS } } } },
      },
    },
  )

interface Start {
  after?: string | undefined
  since?: string | undefined
}

/** A client that comes back says how far it has read; else the query decides; else only what happens from now on. */
function startOf({ after, since }: Start, { headers }: Request): { after: string | null; since: number | null } {
  if (after !== undefined && since !== undefined) throw invalid('since: not together with after')
  const resumed = headers.get('last-event-id') || after
  if (resumed) return { after: resumed, since: null }
  if (since === undefined) return { after: null, since: MAX_INSTANT }
  return { after: null, since: queryInstant('since', since) }
}

const EVENTS = {
  type: 'string',
  example: 'event: event\nid: ZXZ0OjE4MjQ\ndata: {"id":"evt_…","type":"purchase.renewed"}\n\n',
} as const

const DESCRIPTION = `Server-sent events, for as long as the client stays: \`event\` for each event, oldest first and in the
order of the feed, \`ping\` every 25 s. Without \`after\` and \`since\` only what happens from now on. The \`id\` is a
cursor: a client that comes back with \`Last-Event-ID\` goes on where it was, and \`after\` takes the same cursor with the
same filters. 410 when it is older than the events that are kept. A client that does not read is disconnected, and so
is one whose session, token or membership ends. A person can have 20 streams of a project and
60 of all; the oldest is ended.`
