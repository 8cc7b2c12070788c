import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { readCursor } from '../../people/events/feed-cursor'
import { FigureQuery } from '../../people/purchases/operator-wire'
import { isStillAdmitted, operator } from '../../projects/doors/operator'
import { feedOf } from './frames'
import { readLiveState } from './live-state'
import { subscriptionFigureRoutes } from './subscription-routes'
import { OverviewAnswer, toOverview } from './wire'

const tags = ['Analytics']
const GUARD = { role: 'CUSTOMER_SUPPORT' } as const
const NoQuery = Type.Object({}, { additionalProperties: false })

/** What the first screen of a project shows, and how it changes (wire 7.11). */
export const overviewRoutes = (ctx: Context) =>
  new Elysia().use(overviewRoute(ctx)).use(liveRoute(ctx)).use(subscriptionFigureRoutes(ctx))

const overviewRoute = (ctx: Context) =>
  operator(ctx, GUARD).get(
    '/overview',
    async ({ project, query: { environment } }) => {
      requireAnalytics(ctx)
      const [{ figures, first, stores }, health] = await Promise.all([
        readLiveState(ctx, project, environment),
        ctx.state.overviewHealth.read(project),
      ])
      return { data: toOverview(figures, first, stores, health) }
    },
    {
      query: FigureQuery,
      response: OverviewAnswer,
      detail: {
        tags,
        summary: 'The project at a glance',
        description: OVERVIEW,
        operationId: 'getOverview',
        'x-errors': ['ANALYTICS_UNAVAILABLE'],
      },
    },
  )

/** A connection on which not even pings arrive is ended after this time; the limit of Bun would be 30 s. */
const IDLE_SECONDS = (2 * MINUTE) / SECOND

const liveRoute = (ctx: Context) =>
  operator(ctx, GUARD).get(
    '/overview/live',
    ({ project, user, request, set, server }) => {
      requireAnalytics(ctx)
      const streams = ctx.state.eventStreams
      streams.assertRoom(project.id)
      set.headers['content-type'] = 'text/event-stream'
      set.headers['x-accel-buffering'] = 'no'
      if (request.method === 'HEAD') return new Response(null) // No client would read the stream or end it.
      const seen = readCursor(request.headers.get('last-event-id') ?? '', feedOf(project.id))
      const owner = { projectId: project.id, userId: user.id }
      const client = ctx.state.liveOverviews.open(owner, seen?.position ?? null, () =>
        isStillAdmitted(ctx, GUARD, request, project.id),
      )
      server?.timeout(request, IDLE_SECONDS)
      request.signal.addEventListener('abort', () => streams.end(client), { once: true })
      if (request.signal.aborted) streams.end(client)
      return new Response(client.body)
    },
    {
      query: NoQuery,
      detail: {
        tags,
        summary: 'The overview as it changes',
        operationId: 'streamOverview',
        description: LIVE,
        'x-errors': ['ANALYTICS_UNAVAILABLE', 'RATE_LIMITED'],
        responses: { 200: { description: 'The open stream.', content: { 'text/event-stream': { schema: EVENTS } } } },
      },
    },
  )

function requireAnalytics({ config }: Context): void {
  if (!config.isAnalyticsOn) throw new AppError('ANALYTICS_UNAVAILABLE')
}

const EVENTS = {
  type: 'string',
  example: 'event: figure\ndata: {"name":"mrr","value":9990000,"previous":0,"daily":[0]}\n\n',
} as const

const OVERVIEW = `Purchases of one environment, production unless the query says SANDBOX; the days are those of the project's time zone, today and the 29 before it. Of
\`mrr\`, \`activeSubscriptions\` and \`trials\`, \`value\` is the figure now, \`previous\` the one when the first of the 30 days
began, \`daily\` the ones at the end of each day. Of \`revenue30d\` and \`newSubscribers30d\`, \`value\` is the sum of
\`daily\`, \`previous\` the sum of the 30 days before. The figures are those of the charts of the same names; amounts
without an exchange rate are in none of them, and \`unconverted\` counts those.`

const LIVE = `Server-sent events, for as long as the client stays. It begins with the whole state: \`first\`, a \`figure\`
for each figure, a \`store\` for each store. After that each is sent when it changes: \`figure\` {name, value, previous,
daily} and \`store\` (as in the overview) at most once a second, \`first\` {call, purchase} at once. \`event\` {id, type,
subscriberId, person, environment, at} is sent for each event of the project, of more than 50 in a second for the newest 50;
\`events/stream\` has all of them. \`ping\` every 25 s. A client that comes back with \`Last-Event-ID\` gets the newest 50
events that it has missed. A client that does not read is disconnected, and so is one whose session, token or membership
ends. A person can have 20 streams of a project and 60 of all, those of \`events/stream\` among them; the oldest is ended.`
