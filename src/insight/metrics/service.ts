import type { Context } from '../../base/context'
import { entryFigures } from '../charts/read'
import { toFigures } from '../charts/wire'
import { readNumbers } from '../clickhouse/numbers'
import type { Grain } from '../figures/cells'
import { type ReportRate, type ShownRate, shownRate } from '../figures/report-rate'
import type { FigureRequest } from '../figures/scope'
import { readFigures, readWhole } from '../figures/series'
import type { Metric } from './list'

/** Figures of a cell: USD micros, numbers or shares; null where one would divide by nothing. */
export type MetricValues = Record<string, number | null | (number | null)[]>

export type Series = { start: string; values: MetricValues }[]

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

/** The description of an answer in itself. */
export const headOf = ({ grain, rate }: FigureRequest) => ({
  grain,
  currency: rate?.currency ?? 'USD',
  ...(rate && { rate: shownRate(rate) }),
})

/** A metric that follows from sums of entries. */
export function readMetric(ctx: Context, metric: Metric, request: FigureRequest): Promise<MetricAnswer> {
  const { scope, cells, rate } = request
  return readNumbers(ctx, async (handle) => {
    const whole = await readWhole(handle, request)
    const groups = scope.groupBy === null ? null : await readFigures(handle, scope, cells)
    return { ...headOf(request), ...toFigures(entryFigures(metric, rate, whole, groups)) }
  })
}

/** Averages in USD micros in the currency of the report. */
export const moneyIn = (
  { convert }: ReportRate,
  values: Record<string, number | null>,
): Record<string, number | null> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? null : convert(value)]))
