import type { Context } from '../../base/context'
import { roundHalfAway } from '../../core/money/money'
import { readScoped } from '../clickhouse/numbers'
import { settledFor } from '../figures/kept/bases'
import { readNetsOfAll } from '../figures/kept/nets'
import type { FigureRequest } from '../figures/scope'
import { askGroups } from './asked'
import type { ChartFigures, ChartSeries, ChartValues } from './chart'

/** The lifetime values of the payers of each cell, in one pass over everybody. */
export async function readAllNets(ctx: Context, request: FigureRequest): Promise<ChartFigures> {
  const { scope, cells, window } = request
  // Nothing is derived from this answer, so it may be of what is committed now, whatever commits late.
  const version = await ctx.storage.readInThread((handle) => settledFor(handle, { settled: null }))
  const all = [...cells, window]
  const { whole, byGroup } = await readNetsOfAll(ctx, scope, version, all)
  return readScoped(ctx, scope, (handle) =>
    askGroups(handle, request, async (own, group): Promise<ChartSeries> => {
      const nets = (own.scope.groupBy === null ? whole : byGroup.get(group)) ?? []
      const values = all.map((_cell, index) => ltvValues(nets[index] ?? []))
      const series = cells.map(({ start }, index) => ({ start, values: values[index] ?? NONE }))
      return { series, totals: values.at(-1) ?? NONE }
    }),
  )
}

/** @param nets lifetime net of each payer in USD micros, ascending */
export function ltvValues(nets: ArrayLike<number>): ChartValues {
  if (nets.length === 0) return { mean: null, median: null, p90: null }
  let sum = 0
  for (let index = 0; index < nets.length; index++) sum += nets[index] ?? 0
  const p90 = nets[Math.ceil(nets.length * 0.9) - 1] ?? null
  return { mean: roundHalfAway(sum / nets.length), median: medianOf(nets), p90 }
}

function medianOf(sorted: ArrayLike<number>): number {
  const middle = sorted.length / 2
  const pair = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0] as const
  return roundHalfAway((pair[0] + pair[1]) / 2)
}

const NONE = ltvValues([])
