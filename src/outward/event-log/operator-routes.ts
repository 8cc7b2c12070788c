import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { invalid, notFound } from '../../base/errors'
import { listAnswer, readCursor } from '../../base/http/list'
import { dataAnswer } from '../../base/http/object-answer'
import { queryInteger } from '../../base/http/query-integer'
import { toScannedList } from '../../base/http/scan'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { MAX_INSTANT, parseIso } from '../../base/lib/time'
import { readFeed } from '../../people/events/feed'
import { readTypes } from '../../people/events/feed-types'
import { EventSchema, toEventView } from '../../people/events/feed-wire'
import { findEvent } from '../../people/events/range-queries'
import { isStillAdmitted, operator } from '../../projects/doors/operator'
import { listEvents } from './list'

const strict = { additionalProperties: false } as const
const tags = ['Webhooks']
const GUARD = { role: 'CUSTOMER_SUPPORT' } as const

const filters = {
  types: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2000, description: 'Comma list; a trailing * stands for any ending' }),
  ),
  subscriberId: Type.Optional(
    Type.String({
      pattern: '^sub_[0-9a-hjkmnp-tv-z]{26}$',
      description: 'Only events of this subscriber: a `sub_` id',
    }),
  ),
}

const EventQuery = Type.Object(
  {
    limit: Type.Optional(queryInteger('limit', { minimum: 1, maximum: 1000, default: 50 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'nextCursor of the page before' })),
    ...filters,
  },
  strict,
)

const StreamQuery = Type.Object(
  {
    ...filters,
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

const listRoute = (ctx: Context) =>
  operator(ctx, GUARD).get(
    '/events',
    async ({ project, query: { limit = 50, cursor, types, subscriberId = null } }) => {
      const filter = { projectId: project.id, types: readTypes(types), subscriberId }
      const scope = ['events', project.id, subscriberId, ...filter.types]
      const page = await listEvents(ctx, filter, { after: readCursor(cursor, scope, 1), limit })
      return { data: toScannedList(page, scope, toEventView) }
    },
    {
      query: EventQuery,
      response: listAnswer(EventSchema),
      detail: {
        tags,
        summary: 'Events of the project',
        description:
          'Newest first, as far back as events are kept. A page can have fewer items than limit although nextCursor is given: a request reads a bounded number of events.',
        operationId: 'listProjectEvents',
      },
    },
  )

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
      if (request.method === 'HEAD') return new Response(null) // Nobody would read the stream or end it.
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
  const instant = parseIso(since.replaceAll(' ', '+')) // A plus sign that is not escaped arrives as a blank.
  if (instant === null) throw invalid('since: a time such as 2026-11-20T08:00:00Z')
  return { after: null, since: instant }
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
