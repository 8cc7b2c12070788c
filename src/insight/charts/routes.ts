import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { CSV_RESPONSES, csvResponse } from '../../base/http/csv'
import { integerAt, readCursor, toList } from '../../base/http/list'
import { operator } from '../../projects/doors/operator'
import { inTurn, readScoped, TURN_REFUSALS } from '../clickhouse/numbers'
import { type Chart, valueNamesOf } from './chart'
import { CHARTS } from './charts'
import { chartTable } from './csv'
import { readChartQuery } from './query'
import { readChart } from './read'
import { nameRows, readReportRows } from './report-rows'
import { readRowQuery } from './rows'
import {
  ChartAnswer,
  ChartExportQuery,
  ChartList,
  ChartQuerySchema,
  ChartRowList,
  ChartRowQuery,
  toChartAnswer,
  toChartItem,
  toRowItem,
} from './wire'

const tags = ['Analytics']
const REFUSALS = ['ANALYTICS_UNAVAILABLE', 'ANALYTICS_UNREACHABLE', 'window_too_large', ...TURN_REFUSALS] as const

/** For members of the project, below it. */
export const chartRoutes = (ctx: Context) =>
  new Elysia().use(seriesRoutes(ctx)).use(exportRoute(ctx)).use(rowRoute(ctx))

const seriesRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/charts',
      () => ({ data: { items: CHARTS.map((chart) => toChartItem(chart, valueNamesOf(chart))), nextCursor: null } }),
      {
        response: ChartList,
        detail: { tags, summary: 'All charts with their definitions', operationId: 'listCharts' },
      },
    )
    .get(
      '/charts/:chartId',
      async ({ project, params, query, request: call }) => {
        const chart = getChart(params.chartId)
        const request = await readChartQuery(ctx, project, chart, query)
        const figures = await inTurn(ctx, project.id, call, (own) => readChart(own, chart, request))
        return { data: toChartAnswer(chart, request, figures) }
      },
      {
        query: ChartQuerySchema,
        response: ChartAnswer,
        detail: { tags, summary: 'The figures of a chart', operationId: 'getChart', 'x-errors': REFUSALS },
      },
    )

const exportRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/charts/:chartId/export',
    async ({ project, params, query: { format: _format, ...query }, request: call }) => {
      const chart = getChart(params.chartId)
      const request = await readChartQuery(ctx, project, chart, query)
      const figures = await inTurn(ctx, project.id, call, (own) => readChart(own, chart, request))
      return csvResponse({ state: ctx.state, projectId: project.id }, chartTable(chart, request, figures))
    },
    {
      query: ChartExportQuery,
      detail: {
        tags,
        summary: 'The figures of a chart as CSV',
        description: 'A line for each cell, with groupBy for each group and cell. Money is in micros.',
        operationId: 'exportChart',
        responses: CSV_RESPONSES,
        'x-errors': REFUSALS,
      },
    },
  )

const rowRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/charts/:chartId/rows',
    async ({ project, params, query: { limit = 50, cursor, ...query }, request }) => {
      const chart = getChart(params.chartId)
      const list = ['charts', chart.id, project.id, JSON.stringify(Object.entries(query).toSorted())]
      const position = readCursor(cursor, list, 5)
      // All pages are converted with the rate of the first one.
      const { rateDate = position?.[4] || undefined } = query
      const asked = { ...query, rateDate: rateDate === undefined ? undefined : String(rateDate) }
      const { reader, cell, scope, rate } = await readRowQuery(ctx, project, chart, asked)
      const shown = position ? { ...cell, end: integerAt(position, 2) } : cell
      const after = position && { at: integerAt(position, 0), tie: String(position[1]) }
      const page = { after, limit: limit + 1, told: position && integerAt(position, 3) }
      const read = (own: Context) =>
        readScoped(own, scope, (handle) => readReportRows(handle, { reader, scope, rate }, shown, page))
      const rows = await inTurn(ctx, project.id, request, read)
      const named = await nameRows(ctx, project.id, rows)
      return {
        data: toList(named, limit, list, {
          positionOf: ({ row: { at, tie, told } }) => [at, tie, shown.end, told, rate?.date ?? ''],
          toItem: ({ row, person }) => ({ ...toRowItem(row, rate?.currency ?? reader.unit), person }),
        }),
      }
    },
    {
      query: ChartRowQuery,
      response: ChartRowList,
      detail: {
        tags,
        summary: 'The rows that a figure of a chart is made of',
        description:
          'The contributions of all pages add up to the figure exactly. Of a share these are the rows of what is divided. An average has none. In another currency than USD a row is converted so that all of them add up to the figure, which moves it by some micros.',
        operationId: 'listChartRows',
        'x-errors': REFUSALS,
      },
    },
  )

function getChart(id: string): Chart {
  const chart = CHARTS.find((one) => one.id === id)
  if (!chart) throw notFound('chart', id)
  return chart
}
