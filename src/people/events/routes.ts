import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { queryInstant, queryInteger } from '../../base/http/parameters'
import { SECOND } from '../../base/lib/clock'
import { api } from '../../projects/doors/api'
import { readFeed } from './feed'
import { readTypes } from './feed-types'
import { EventSchema, eventFilters, toEventView } from './feed-wire'

const strict = { additionalProperties: false } as const

const FeedQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ maxLength: 200, description: 'nextCursor of the answer before' })),
    since: Type.Optional(
      Type.String({ maxLength: 40, description: 'Instead of after: only events recorded at or after this time' }),
    ),
    limit: Type.Optional(queryInteger('limit', { minimum: 1, maximum: 1000, default: 100 })),
    ...eventFilters,
    wait: Type.Optional(
      queryInteger('wait', { minimum: 0, maximum: 25, default: 0, description: 'Seconds to wait for a first event' }),
    ),
  },
  { additionalProperties: true },
)

const FeedAnswer = Type.Object(
  {
    data: Type.Object({ items: Type.Array(EventSchema), nextCursor: Type.String(), hasMore: Type.Boolean() }, strict),
  },
  strict,
)

/** The domain events of the project in commit order. The customer's server pulls them. */
export const feedRoutes = (ctx: Context) =>
  api(ctx, { key: 'secret' }).get(
    '/events',
    async ({ project, query, request }) => {
      const { after = null, since, limit = 100, types, subscriberId = null, wait = 0 } = query
      const filter = { projectId: project.id, types: readTypes(types), subscriberId }
      const start = { after, since: readSince(since, after) }
      const question = { filter, ...start, limit, waitMs: wait * SECOND, signal: request.signal }
      const { rows, nextCursor, hasMore } = await readFeed(ctx, project, question)
      return { data: { items: rows.map(toEventView), nextCursor, hasMore } }
    },
    {
      query: FeedQuery,
      response: FeedAnswer,
      detail: {
        tags: ['Subscribers'],
        summary: 'Pull domain events',
        operationId: 'listEvents',
        description:
          'Oldest first, in the order of commits; none is skipped or repeated. nextCursor is never null: call again with it. 410 when the cursor is older than the events that are kept.',
        'x-errors': ['HTTP_ERROR'],
      },
    },
  )

function readSince(text: string | undefined, after: string | null): number | null {
  if (text === undefined) return null
  if (after !== null) throw invalid('since: not together with after')
  return queryInstant('since', text)
}
