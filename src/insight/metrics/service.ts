import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { readNumbers } from '../clickhouse/numbers'
import type { Grain } from '../figures/cells'
import { inReport } from '../figures/report'
import { type ShownRate, shownRate } from '../figures/report-rate'
import type { FigureRequest } from '../figures/scope'
import { type CellFigures, readFigures, readWhole } from '../figures/series'
import type { Metric, MetricValues } from './metric'

/** The answer of a metric (wire 7.11). Money is in micros. */
export interface MetricAnswer {
  grain: Grain
  currency: string
  /** What it was converted with; absent = it is in USD. */
  rate?: ShownRate
  series: Series
  groups?: { key: string | null; series: Series; totals: MetricValues }[]
  totals: MetricValues
  unconverted: number
}

export type Series = { start: string; values: MetricValues }[]

/** What an answer says of itself. */
export const headOf = ({ grain, rate }: FigureRequest) => ({
  grain,
  currency: rate?.currency ?? 'USD',
  ...(rate && { rate: shownRate(rate) }),
})

/** A metric that follows from sums of entries. */
export function readMetric(ctx: Context, metric: Metric, request: FigureRequest): Promise<MetricAnswer> {
  return readNumbers(ctx, async (handle) => {
    const { scope, cells: asked, rate } = request
    const found = await readWhole(handle, request)
    const { whole, groups } = inReport(
      rate,
      found,
      scope.groupBy === null ? null : await readFigures(handle, scope, asked),
    )
    const toSeries = (cells: readonly CellFigures[]) =>
      cells.map((one) => ({ start: toIso(one.cell.start), values: metric.valuesOf(one) }))
    return {
      ...headOf(request),
      series: toSeries(whole.cells),
      ...(groups && {
        groups: groups.map(({ group, cells, total }) => ({
          key: group,
          series: toSeries(cells),
          totals: metric.valuesOf(total),
        })),
      }),
      totals: metric.valuesOf(whole.total),
      unconverted: metric.unconvertedOf(whole.total),
    }
  })
}
