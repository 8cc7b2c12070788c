import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { readScoped } from '../clickhouse/numbers'
import { inReport } from '../figures/report'
import type { ReportRate } from '../figures/report-rate'
import type { FigureRequest } from '../figures/scope'
import { type CellFigures, type GroupFigures, readFigures, wholeOf } from '../figures/series'
import { readAged } from './aged'
import {
  type AskedChart,
  type Chart,
  type ChartFigures,
  type ChartSeries,
  type ChartValues,
  type EntryChart,
  isEntryChart,
} from './chart'
import { preparePeople } from './counted-people'
import { type Figure, sumsOf, valueIn } from './figure'

/** The figures of a chart, and of its groups where they are asked for. */
export async function readChart(ctx: Context, chart: Chart, request: FigureRequest): Promise<ChartFigures> {
  const { scope, rate } = request
  if (isEntryChart(chart)) return readScoped(ctx, scope, (handle) => readEntryChart(handle, chart, request))
  const figures = await readAskedChart(ctx, chart, request)
  return rate && chart.unit === 'USD' ? convertValues(figures, rate) : figures
}

async function readAskedChart(ctx: Context, chart: AskedChart, request: FigureRequest): Promise<ChartFigures> {
  if (chart.question) await preparePeople(ctx, chart.question, request)
  const ask = (own: Context) => readScoped(own, request.scope, (handle) => chart.ask(handle, request))
  if (!chart.isOfLives) return ask(ctx)
  const { askAll } = chart
  return readAged(ctx, chart.id, request, askAll ? (own) => askAll(own, request) : ask)
}

async function readEntryChart(handle: Handle, chart: EntryChart, request: FigureRequest): Promise<ChartFigures> {
  const { cells, rate } = request
  const named = [...Object.values(chart.values), ...(chart.unconverted ? [chart.unconverted] : [])]
  const scope = { ...request.scope, names: named.flatMap(sumsOf) }
  const found = await readFigures(handle, scope, cells)
  const usdGroups = scope.groupBy === null ? null : found
  const usd = usdGroups ? wholeOf(usdGroups, cells) : found[0]
  if (!usd) throw new Error('figures without a group')
  return entryFigures(chart, rate, usd, usdGroups)
}

/** Values that follow from sums of entries, and what is counted as left out for want of an exchange rate. */
export interface EntryFigures {
  values: EntryChart['values']
  unconverted?: Figure | undefined
}

/** The figures of a window and of its groups, from their sums in USD. */
export function entryFigures(
  chart: EntryFigures,
  rate: ReportRate | null,
  usd: GroupFigures,
  usdGroups: GroupFigures[] | null,
): ChartFigures {
  const unconverted = chart.unconverted ? (valueIn(chart.unconverted, usd.total) ?? 0) : 0
  const { whole, groups } = inReport(rate, usd, usdGroups)
  const figures = { ...toSeries(chart, whole), unconverted }
  return groups ? { ...figures, groups: groups.map((one) => ({ key: one.group, ...toSeries(chart, one) })) } : figures
}

const toSeries = (chart: EntryFigures, { cells, total }: GroupFigures): ChartSeries => ({
  series: cells.map((one) => ({ start: one.cell.start, values: toValues(chart, one) })),
  totals: toValues(chart, total),
})

export const toValues = ({ values }: EntryFigures, cell: CellFigures): ChartValues =>
  Object.fromEntries(Object.entries(values).map(([name, figure]) => [name, valueIn(figure, cell)]))

/** Values in USD micros in the currency of the report, each for itself. */
const convertValues = (figures: ChartFigures, rate: ReportRate): ChartFigures => ({
  ...figures,
  ...seriesOf(figures, rate),
  ...(figures.groups && { groups: figures.groups.map((one) => ({ key: one.key, ...seriesOf(one, rate) })) }),
})

const seriesOf = ({ series, totals }: ChartSeries, rate: ReportRate): ChartSeries => ({
  series: series.map(({ start, values }) => ({ start, values: valuesOf(values, rate) })),
  totals: valuesOf(totals, rate),
})

const valuesOf = (values: ChartValues, { convert }: ReportRate): ChartValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? null : convert(value)]))
