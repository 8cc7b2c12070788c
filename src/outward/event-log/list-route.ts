import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { listAnswer, readCursor } from '../../base/http/list'
import { queryInteger } from '../../base/http/parameters'
import { toScannedList } from '../../base/http/scan'
import { oneOf } from '../../core/schema/object'
import { readTypes } from '../../people/events/feed-types'
import { eventFilters } from '../../people/events/feed-wire'
import { operator } from '../../projects/doors/operator'
import type { PurchaseEnvironment } from '../../stores/observation'
import { ListedEvent, listEvents, toListedEvent } from './list'

const strict = { additionalProperties: false } as const
const tags = ['Webhooks']

const EventQuery = Type.Object(
  {
    limit: Type.Optional(queryInteger('limit', { minimum: 1, maximum: 1000, default: 50 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'nextCursor of the page before' })),
    ...eventFilters,
    environment: Type.Optional(oneOf<PurchaseEnvironment>(['PRODUCTION', 'SANDBOX'])),
  },
  strict,
)

/** The list of a project's events. */
export const listRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/events',
    async ({ project, query: { limit = 50, cursor, types, subscriberId = null, environment } }) => {
      const filter = { projectId: project.id, types: readTypes(types), subscriberId, environment }
      const scope = ['events', project.id, subscriberId, environment, ...filter.types]
      const page = await listEvents(ctx, filter, { after: readCursor(cursor, scope, 1), limit })
      return { data: toScannedList(page, scope, toListedEvent) }
    },
    {
      query: EventQuery,
      response: listAnswer(ListedEvent),
      detail: {
        tags,
        summary: 'Events of the project',
        description:
          'Newest first, as far back as events are kept. A page can have fewer items than limit although nextCursor is given: a request reads a bounded number of events.',
        operationId: 'listProjectEvents',
      },
    },
  )
