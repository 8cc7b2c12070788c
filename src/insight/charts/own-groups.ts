import type { Handle } from '../../base/db/handle'
import { MINUTE } from '../../base/lib/clock'
import type { Cell } from '../figures/cells'
import type { SumScope } from '../figures/sums'
import type { AskedChart, ChartSeries, ChartValues, FilterName } from './chart'

export type Counts = Readonly<Record<string, number>>

/** What happened in a group within one step of time. Before the window one part can contain everything. */
export interface GroupPart {
  group: string
  at: number
  counts: Counts
}

/**
 * Parts of a window may come together that lie within this time, from a multiple of it on: no clock of the world has an
 * offset that is not one, so none of them lies in two cells.
 */
export const STEP = 15 * MINUTE

interface OwnGroupChart extends Omit<AskedChart, 'ask' | 'filters' | 'hasOwnGroups'> {
  /** None by default. */
  filters?: readonly FilterName[]
  /** The count `unconverted` is what was left out for want of an exchange rate. */
  read: (handle: Handle, scope: SumScope, window: Cell) => Promise<GroupPart[]>
  /** @param within sums of the cell @param until sums of everything that was read up to its end */
  valuesOf: (within: Counts, until: Counts) => ChartValues
}

/** A chart of another table with groups of its own; its totals are sums over them. */
export const ownGroupChart = ({ read, valuesOf, filters = [], ...about }: OwnGroupChart): AskedChart => ({
  ...about,
  filters,
  hasOwnGroups: true,
  ask: async (handle, { scope, window, cells }) => {
    const parts = await read(handle, scope, window)
    const toSeries = (own: readonly GroupPart[]): ChartSeries => ({
      series: cells.map((cell) => ({ start: cell.start, values: valuesIn(own, cell) })),
      totals: valuesIn(own, window),
    })
    const valuesIn = (own: readonly GroupPart[], { start, end }: Cell) => {
      const until = own.filter(({ at }) => at < end)
      return valuesOf(sumOf(until.filter(({ at }) => at >= start)), sumOf(until))
    }
    const unconverted = sumOf(parts.filter(({ at }) => at >= window.start && at < window.end)).unconverted ?? 0
    const groups = [...Map.groupBy(parts, ({ group }) => group)].sort(([a], [b]) => (a < b ? -1 : 1))
    return { ...toSeries(parts), groups: groups.map(([key, own]) => ({ key, ...toSeries(own) })), unconverted }
  },
})

function sumOf(parts: readonly GroupPart[]): Counts {
  const sum: Record<string, number> = {}
  for (const { counts } of parts)
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count
  return sum
}
