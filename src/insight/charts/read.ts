import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { readScoped } from '../clickhouse/numbers'
import { inReport } from '../figures/report'
import type { FigureRequest } from '../figures/scope'
import { type CellFigures, type GroupFigures, readFigures, wholeOf } from '../figures/series'
import {
  type AskedChart,
  type Chart,
  type ChartFigures,
  type ChartSeries,
  type ChartValues,
  type EntryChart,
  isEntryChart,
} from './chart'
import { convertValues } from './convert-values'
import { sumsOf, valueIn } from './figure'

/** The figures of a chart, and of its groups where they are asked for. */
export const readChart = (ctx: Context, chart: Chart, request: FigureRequest): Promise<ChartFigures> =>
  readScoped(ctx, request.scope, (handle) =>
    isEntryChart(chart) ? readEntryChart(handle, chart, request) : readAskedChart(handle, chart, request),
  )

async function readEntryChart(handle: Handle, chart: EntryChart, request: FigureRequest): Promise<ChartFigures> {
  const { cells, rate } = request
  const named = [...Object.values(chart.values), ...(chart.unconverted ? [chart.unconverted] : [])]
  const scope = { ...request.scope, names: named.flatMap(sumsOf) }
  const found = await readFigures(handle, scope, cells)
  const usdGroups = scope.groupBy === null ? null : found
  const usd = usdGroups ? wholeOf(usdGroups, cells) : found[0]
  if (!usd) throw new Error('figures without a group')
  const unconverted = chart.unconverted ? (valueIn(chart.unconverted, usd.total) ?? 0) : 0
  const { whole, groups } = inReport(rate, usd, usdGroups)
  const figures = { ...toSeries(chart, whole), unconverted }
  return groups ? { ...figures, groups: groups.map((one) => ({ key: one.group, ...toSeries(chart, one) })) } : figures
}

async function readAskedChart(handle: Handle, chart: AskedChart, request: FigureRequest): Promise<ChartFigures> {
  const figures = await chart.ask(handle, request)
  return request.rate && chart.unit === 'USD' ? convertValues(figures, request.rate) : figures
}

const toSeries = (chart: EntryChart, { cells, total }: GroupFigures): ChartSeries => ({
  series: cells.map((one) => ({ start: one.cell.start, values: toValues(chart, one) })),
  totals: toValues(chart, total),
})

const toValues = ({ values }: EntryChart, cell: CellFigures): ChartValues =>
  Object.fromEntries(Object.entries(values).map(([name, figure]) => [name, valueIn(figure, cell)]))
