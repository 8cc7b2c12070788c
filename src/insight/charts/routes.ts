import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { CSV_RESPONSES, csvResponse } from '../../base/http/csv'
import { integerAt, readCursor, toList } from '../../base/http/list'
import { operator } from '../../projects/doors/operator'
import { readNumbers } from '../clickhouse/numbers'
import { type Chart, valueNamesOf } from './chart'
import { CHARTS } from './charts'
import { chartTable } from './csv'
import { readChartQuery } from './query'
import { readChart } from './read'
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
const REFUSALS = ['ANALYTICS_UNAVAILABLE', 'ANALYTICS_UNREACHABLE', 'window_too_large'] as const

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
      async ({ project, params, query }) => {
        const chart = getChart(params.chartId)
        const request = readChartQuery(ctx, project, chart, query)
        return { data: toChartAnswer(chart, request.grain, await readChart(ctx, chart, request)) }
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
    async ({ project, params, query: { format: _format, ...query } }) => {
      const chart = getChart(params.chartId)
      const request = readChartQuery(ctx, project, chart, query)
      return csvResponse(chartTable(chart, await readChart(ctx, chart, request)))
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
    async ({ project, params, query: { limit = 50, cursor, ...query } }) => {
      const chart = getChart(params.chartId)
      const { reader, cell, scope } = readRowQuery(ctx, project, chart, query)
      const list = ['charts', chart.id, project.id, JSON.stringify(Object.entries(query).toSorted())]
      const position = readCursor(cursor, list, 3)
      const own = position ? { ...cell, end: integerAt(position, 2) } : cell
      const after = position && { at: integerAt(position, 0), tie: String(position[1]) }
      const rows = await readNumbers(ctx, (handle) => reader.read(handle, scope, own, { after, limit: limit + 1 }))
      return {
        data: toList(rows, limit, list, {
          positionOf: ({ at, tie }) => [at, tie, own.end],
          toItem: (row) => toRowItem(row, reader.unit),
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
          'The contributions of all pages add up to the figure exactly. Of a share these are the rows of what is divided. An average has none.',
        operationId: 'listChartRows',
        'x-errors': REFUSALS,
      },
    },
  )

function getChart(id: string): Chart {
  const chart = CHARTS.find((one) => one.id === id)
  if (!chart) throw notFound()
  return chart
}
