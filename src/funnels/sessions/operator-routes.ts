import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer } from '../../base/http/list'
import { dataAnswer } from '../../base/http/object-answer'
import { queryInstant } from '../../base/http/parameters'
import { operator } from '../../projects/doors/operator'
import { getFunnel } from '../publication/service'
import { pageSessions } from './operator-queries'
import {
  FunnelSessionDetailSchema,
  FunnelSessionListQuery,
  FunnelSessionSchema,
  StatisticsQuery,
  StatisticsSchema,
} from './operator-wire'
import { sessionDetail, toView } from './session-view'
import { funnelStatistics } from './statistics'

const tags = ['Funnels']

/** What visitors did in funnels, for the people who run them (wire 7.7). */
export const sessionOperatorRoutes = (ctx: Context) => new Elysia().use(listRoutes(ctx)).use(readRoutes(ctx))

interface Times {
  from?: string
  to?: string
}

const rangeOf = (funnelId: string, { from, to }: Times) => ({
  funnelId,
  from: from === undefined ? null : queryInstant('from', from),
  to: to === undefined ? null : queryInstant('to', to),
})

const listRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/funnels/:id/sessions',
    async ({ project, params, query }) => {
      await getFunnel(ctx, project.id, params.id)
      const scope = ['funnel-sessions', project.id, params.id, query.from, query.to]
      const { limit, beforeId } = idPage(query, scope)
      const rows = await pageSessions(ctx, rangeOf(params.id, query), { beforeId, limit: limit + 1 })
      return { data: idList({ items: rows.slice(0, limit).map(toView), hasMore: rows.length > limit }, scope) }
    },
    {
      query: FunnelSessionListQuery,
      response: listAnswer(FunnelSessionSchema),
      detail: { tags, summary: 'Sessions of a funnel', operationId: 'listFunnelSessions' },
    },
  )

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/funnel-sessions/:id',
      async ({ project, params }) => ({ data: await sessionDetail(ctx, project.id, params.id) }),
      {
        response: dataAnswer(FunnelSessionDetailSchema),
        detail: {
          tags,
          summary: 'One session with its answers',
          description: 'Sensitive answers are hidden; only an export of the data of the person has them.',
          operationId: 'getFunnelSession',
        },
      },
    )
    .get(
      '/funnels/:id/stats',
      async ({ project, params, query }) => ({
        data: await funnelStatistics(ctx, project.id, rangeOf(params.id, query), query.groupBy ?? null),
      }),
      {
        query: StatisticsQuery,
        response: dataAnswer(StatisticsSchema),
        detail: {
          tags,
          summary: 'What visitors did in a funnel',
          description:
            'Of the sessions that began in the time. Revenue is until now, less what was given back; that of test stores is apart. Sessions without a payment are kept for 30 days.',
          operationId: 'getFunnelStats',
        },
      },
    )
