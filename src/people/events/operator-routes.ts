import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { integerAt, listAnswer, listQuery, readCursor, toList } from '../../base/http/list'
import { operator } from '../../projects/doors/operator'
import { PersonParams } from '../subscribers/operator-wire'
import { getSubscriber } from '../subscribers/service'
import { EventSchema, toEventView } from './feed-wire'
import { listNewestEventsOf } from './queries'

const TimelineQuery = Type.Object(listQuery, { additionalProperties: false })

/** What happened to one person, newest first. */
export const eventOperatorRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/subscribers/:id/timeline',
    async ({ project, params, query: { limit = 50, cursor } }) => {
      const { id } = await getSubscriber(ctx, project.id, params.id)
      const scope = ['timeline', project.id, id]
      const after = readCursor(cursor, scope, 1)
      const rows = await listNewestEventsOf(ctx, id, after && integerAt(after, 0), limit + 1)
      return { data: toList(rows, limit, scope, { positionOf: ({ seq }) => [seq ?? 0], toItem: toEventView }) }
    },
    {
      params: PersonParams,
      query: TimelineQuery,
      response: listAnswer(EventSchema),
      detail: {
        tags: ['People'],
        'x-errors': ['NOT_FOUND'],
        summary: 'What happened to a subscriber',
        description: 'Newest first, as far back as events are kept.',
        operationId: 'listSubscriberEvents',
      },
    },
  )
