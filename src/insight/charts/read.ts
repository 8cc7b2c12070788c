import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { inReport } from '../figures/report'
import type { FigureRequest } from '../figures/scope'
import { type CellFigures, type GroupFigures, readFigures } from '../figures/series'
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
import { valueIn } from './figure'

/** The figures of a chart, and of its groups where they are asked for. */
export const readChart = (ctx: Context, chart: Chart, request: FigureRequest): Promise<ChartFigures> =>
  ctx.storage.readInThread((handle) =>
    isEntryChart(chart) ? readEntryChart(handle, chart, request) : readAskedChart(handle, chart, request),
  )

async function readEntryChart(handle: Handle, chart: EntryChart, request: FigureRequest): Promise<ChartFigures> {
  const { scope, cells, rate } = request
  const [whole] = await readFigures(handle, { ...scope, groupBy: null }, cells)
  if (!whole) throw new Error('figures without a group')
  const unconverted = chart.unconverted ? (valueIn(chart.unconverted, whole.total) ?? 0) : 0
  const shown = inReport(rate, whole, scope.groupBy === null ? null : await readFigures(handle, scope, cells))
  const groups = shown.groups?.map((one) => ({ key: one.group, ...toSeries(chart, one) }))
  return { ...toSeries(chart, shown.whole), unconverted, ...(groups && { groups }) }
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
