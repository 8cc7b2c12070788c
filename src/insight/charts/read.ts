import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { readNumbers } from '../clickhouse/numbers'
import type { FigureRequest } from '../figures/scope'
import { type CellFigures, type GroupFigures, readFigures } from '../figures/series'
import {
  type Chart,
  type ChartFigures,
  type ChartSeries,
  type ChartValues,
  type EntryChart,
  isEntryChart,
} from './chart'
import { valueIn } from './figure'

/** The figures of a chart, and of its groups where they are asked for. */
export const readChart = (ctx: Context, chart: Chart, request: FigureRequest): Promise<ChartFigures> =>
  readNumbers(ctx, (handle) =>
    isEntryChart(chart) ? readEntryChart(handle, chart, request) : chart.ask(handle, request),
  )

async function readEntryChart(handle: Handle, chart: EntryChart, request: FigureRequest): Promise<ChartFigures> {
  const { scope, cells } = request
  const [whole] = await readFigures(handle, { ...scope, groupBy: null }, cells)
  if (!whole) throw new Error('figures without a group')
  const unconverted = chart.unconverted ? (valueIn(chart.unconverted, whole.total) ?? 0) : 0
  const figures = { ...toSeries(chart, whole), unconverted }
  if (scope.groupBy === null) return figures
  const groups = await readFigures(handle, scope, cells)
  return { ...figures, groups: groups.map((one) => ({ key: one.group, ...toSeries(chart, one) })) }
}

const toSeries = (chart: EntryChart, { cells, total }: GroupFigures): ChartSeries => ({
  series: cells.map((one) => ({ start: one.cell.start, values: toValues(chart, one) })),
  totals: toValues(chart, total),
})

const toValues = ({ values }: EntryChart, cell: CellFigures): ChartValues =>
  Object.fromEntries(Object.entries(values).map(([name, figure]) => [name, valueIn(figure, cell)]))
