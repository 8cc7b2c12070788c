import type { Context } from '../../base/context'
import { readScoped } from '../clickhouse/numbers'
import { settledFor } from '../figures/kept/bases'
import { readNetsOfAll } from '../figures/kept/nets'
import type { FigureRequest } from '../figures/scope'
import { ltvValues } from '../metrics/ltv'
import { askGroups } from './asked'
import type { ChartFigures, ChartSeries } from './chart'

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

const NONE = ltvValues([])
