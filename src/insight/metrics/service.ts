import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { readNumbers } from '../clickhouse/numbers'
import type { Grain } from '../figures/cells'
import type { FigureRequest } from '../figures/scope'
import { type CellFigures, readFigures, readWhole } from '../figures/series'
import type { Metric, MetricValues } from './metric'

/** The answer of a metric (wire 7.11). Money is USD micros. */
export interface MetricAnswer {
  grain: Grain
  currency: string
  series: Series
  groups?: { key: string | null; series: Series; totals: MetricValues }[]
  totals: MetricValues
  unconverted: number
}

export type Series = { start: string; values: MetricValues }[]

/** A metric that follows from sums of entries. */
export function readMetric(ctx: Context, metric: Metric, request: FigureRequest): Promise<MetricAnswer> {
  return readNumbers(ctx, async (handle) => {
    const whole = await readWhole(handle, request)
    const { groupBy } = request.scope
    const groups = groupBy === null ? null : await readFigures(handle, request.scope, request.cells)
    const toSeries = (cells: readonly CellFigures[]) =>
      cells.map((one) => ({ start: toIso(one.cell.start), values: metric.valuesOf(one) }))
    return {
      grain: request.grain,
      currency: 'USD',
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
