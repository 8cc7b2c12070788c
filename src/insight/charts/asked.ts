import type { Handle } from '../../base/db/handle'
import type { Cell } from '../figures/cells'
import type { FigureRequest } from '../figures/scope'
import { readFigures } from '../figures/series'
import type { GroupBy, SumScope } from '../figures/sums'
import {
  type AskedChart,
  type ChartFigures,
  type ChartSeries,
  type ChartValues,
  FILTER_NAMES,
  type FilterName,
} from './chart'

/** Asks for the values of one cell. */
export type AskCell = (handle: Handle, scope: SumScope, cell: Cell) => Promise<ChartValues>

type About = Omit<AskedChart, 'ask' | 'filters'> & { askCell: AskCell }

/** A chart that is asked of another table, cell by cell, and has no filters. */
export const askedChart = ({ askCell, ...about }: About): AskedChart => ({
  ...about,
  filters: [],
  ask: async (handle, request) => ({ ...(await askAll(handle, request, request.scope, askCell)), unconverted: 0 }),
})

/** Who owns a purchase is known only as of now, so these charts do not take `knownAt`. */
const PEOPLE_FILTERS: readonly FilterName[] = FILTER_NAMES.filter((name) => name !== 'knownAt')

/** A chart of people: values that are counted by subscriber, for the whole and for each group of entries. */
export const peopleChart = ({ askCell, ...about }: About): AskedChart => ({
  ...about,
  filters: PEOPLE_FILTERS,
  ask: (handle, request) => askPeople(handle, request, askCell),
})

async function askPeople(handle: Handle, request: FigureRequest, ask: AskCell): Promise<ChartFigures> {
  const { scope, window } = request
  const { groupBy } = scope
  const whole = { ...scope, groupBy: null }
  const [sums] = await readFigures(handle, whole, [window])
  const unconverted = sums?.total.sums.unconverted ?? 0
  const figures = { ...(await askAll(handle, request, whole, ask)), unconverted }
  if (groupBy === null) return figures
  const groups = []
  for (const { group } of await readFigures(handle, scope, [window]))
    groups.push({ key: group, ...(await askAll(handle, request, narrowed(scope, groupBy, group), ask)) })
  return { ...figures, groups }
}

export const narrowed = (scope: SumScope, groupBy: GroupBy, group: string | null): SumScope => ({
  ...scope,
  groupBy: null,
  filters: { ...scope.filters, [groupBy]: [group] },
})

async function askAll(
  handle: Handle,
  { cells, window }: FigureRequest,
  scope: SumScope,
  ask: AskCell,
): Promise<ChartSeries> {
  const series: ChartSeries['series'] = []
  for (const cell of cells) series.push({ start: cell.start, values: await ask(handle, scope, cell) })
  return { series, totals: await ask(handle, scope, window) }
}
