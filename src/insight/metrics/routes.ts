import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { operator } from '../../projects/doors/operator'
import { report } from '../../projects/doors/report'
import type { ProjectState } from '../../projects/project/state'
import { type FigureQuery, readFigureQuery } from '../figures/scope'
import { answerMetric, METRIC_REFUSALS, type NamedMetric } from './answer'
import { saveCommissionRates } from './commission-rates'
import { readLtv, readRetention } from './lifetimes'
import { METRICS } from './list'
import { readMetric } from './service'
import { readSummary } from './summary'
import { CommissionAnswer, CommissionBody, MetricAnswerSchema, MetricQuery, NamedMetricQuery } from './wire'

interface MetricRoute extends NamedMetric {
  summary: string
  definition: string
}

const ROUTES: readonly MetricRoute[] = [
  {
    name: 'summary',
    summary: 'All metrics of a window',
    definition:
      'The totals of the other metrics. arpu is net by the subscribers who had a paid purchase at any time of the window, arppu net by those who were charged in it. grain is total by default.',
    read: (ctx, project, query) => readSummary(ctx, readFigureQuery(ctx, project, { grain: 'total', ...query })),
  },
  ...METRICS.map((metric) => ({
    ...metric,
    read: (ctx: Context, project: ProjectState, query: FigureQuery) =>
      readMetric(ctx, metric, readFigureQuery(ctx, project, query)),
  })),
  {
    name: 'retention',
    summary: 'How many subscriptions are still paid for',
    definition:
      'The subscriptions that were first charged more than nothing in the cell: size is their number, shares[n] the share of them that is paid for n months later, in the project’s time zone. A share appears when all of them have reached it.',
    read: (ctx, project, query) =>
      readRetention(ctx, project, readFigureQuery(ctx, project, { grain: 'month', ...query })),
  },
  {
    name: 'ltv',
    summary: 'Lifetime value of those who paid',
    definition:
      'Of everyone who was charged more than nothing in the cell: all that they have paid until now less what they got back. median is the middle value, or the mean of the two in the middle; p90 the smallest value that nine in ten do not exceed. Means are rounded half away from zero.',
    read: (ctx, project, query) => readLtv(ctx, readFigureQuery(ctx, project, query)),
  },
]

/** For members of the project, below it. */
export function metricOperatorRoutes(ctx: Context) {
  const router = new Elysia()
  for (const route of ROUTES)
    router.use(
      operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
        `/metrics/${route.name}`,
        async ({ project, query, request }) => ({
          data: await answerMetric(ctx, request, route, project, query),
        }),
        { query: MetricQuery, response: MetricAnswerSchema, detail: detailOf(route, 'Project') },
      ),
    )
  return router.use(commissionRoute(ctx))
}

const commissionRoute = (ctx: Context) =>
  operator(ctx, { capability: 'project:settings:write' }).put(
    '/commission-rates',
    async ({ project, actor, expected, body }) => {
      const { IOS_STORE = null, ANDROID_STORE = null, PAYMENT = null } = body.rates
      const rates = { IOS_STORE, ANDROID_STORE, PAYMENT }
      await saveCommissionRates(ctx, { projectId: project.id, actor }, rates, expected)
      return { data: { rates } }
    },
    {
      body: CommissionBody,
      response: CommissionAnswer,
      detail: {
        tags: ['Analytics'],
        summary: 'Replace what the stores keep of a charge',
        description: 'Fractions between 0 and 1. A store that is not named, or null, has its usual rates.',
        operationId: 'putCommissionRates',
      },
    },
  )

/** At the root, for servers with a secret key and for members who name the project. */
export function metricRoutes(ctx: Context) {
  const router = new Elysia()
  for (const route of ROUTES)
    router.use(
      report(ctx, 'CUSTOMER_SUPPORT').get(
        `/metrics/${route.name}`,
        async ({ project, query: { projectId: _, ...query }, request }) => ({
          data: await answerMetric(ctx, request, route, project, query),
        }),
        { query: NamedMetricQuery, response: MetricAnswerSchema, detail: detailOf(route, '') },
      ),
    )
  return router
}

const detailOf = ({ name, summary, definition }: MetricRoute, prefix: string) => ({
  tags: ['Analytics'],
  summary,
  description: definition,
  operationId: `get${prefix}Metric${name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
  'x-errors': METRIC_REFUSALS,
})
