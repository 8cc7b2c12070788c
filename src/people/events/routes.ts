import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { queryInteger } from '../../base/http/query-integer'
import { SECOND } from '../../base/lib/clock'
import { api } from '../../projects/doors/api'
import { readFeed } from './feed'
import { EventSchema, toEventView } from './feed-wire'

const strict = { additionalProperties: false } as const

const FeedQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ maxLength: 200, description: 'nextCursor of the answer before' })),
    limit: Type.Optional(queryInteger('limit', { minimum: 1, maximum: 1000, default: 100 })),
    types: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2000, description: 'Comma list; a trailing * stands for any ending' }),
    ),
    subscriberId: Type.Optional(Type.String({ pattern: '^sub_[0-9a-hjkmnp-tv-z]{26}$' })),
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
      const { after = null, limit = 100, types, subscriberId = null, wait = 0 } = query
      const filter = { projectId: project.id, types: readTypes(types), subscriberId }
      const question = { filter, after, limit, waitMs: wait * SECOND, signal: request.signal }
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

const TYPE = /^(?:[a-z_]+(?:\.[a-z_]*)*)?\*$|^[a-z_]+(?:\.[a-z_]+)*$/
const MAX_TYPES = 50

function readTypes(text: string | undefined): string[] {
  if (text === undefined) return []
  const types = text.split(',').map((type) => type.trim())
  if (types.length > MAX_TYPES) throw invalid(`types: at most ${MAX_TYPES}`)
  const wrong = types.find((type) => !TYPE.test(type))
  if (wrong !== undefined) throw invalid('types: a comma list of event types such as purchase.renewed or purchase.*')
  return types
}
