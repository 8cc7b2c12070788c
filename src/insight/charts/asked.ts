import type { Handle } from '../../base/db/handle'
import type { Cell } from '../figures/cells'
import { narrowed } from '../figures/kept/read'
import type { FigureRequest } from '../figures/scope'
import { readFigures } from '../figures/series'
import type { SumScope } from '../figures/sums'
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

type About = Omit<AskedChart, 'ask' | 'filters'> & { askCell: AskCell; filters?: readonly FilterName[] }

/** A chart that is asked of another table, cell by cell; it has no filters where it names none. */
export const askedChart = ({ askCell, filters = [], ...about }: About): AskedChart => ({
  ...about,
  filters,
  ask: async (handle, request) => ({ ...(await askAll(handle, request, request.scope, askCell)), unconverted: 0 }),
})

/** Who owns a purchase is known only as of now, so these charts do not take `knownAt`. */
export const PEOPLE_FILTERS: readonly FilterName[] = FILTER_NAMES.filter((name) => name !== 'knownAt')

/** A chart of people: values that are asked cell by cell, for the whole and for each group of entries. */
export const peopleChart = ({ askCell, ...about }: About): AskedChart => ({
  ...about,
  filters: PEOPLE_FILTERS,
  ask: (handle, request) =>
    askGroups(handle, request, (own, group) => {
      const { groupBy } = own.scope
      return askAll(handle, own, groupBy === null ? own.scope : narrowed(own.scope, groupBy, group), askCell)
    }),
})

type AskGroup = (request: FigureRequest, group: string | null) => Promise<ChartSeries>

/** The whole, and each group with entries. */
export async function askGroups(handle: Handle, request: FigureRequest, ask: AskGroup): Promise<ChartFigures> {
  const { scope, window } = request
  const whole = { ...request, scope: { ...scope, groupBy: null } }
  const [sums] = await readFigures(handle, whole.scope, [window])
  const unconverted = sums?.total.sums.unconverted ?? 0
  const figures = { ...(await ask(whole, '')), unconverted }
  if (scope.groupBy === null) return figures
  const groups = []
  for (const { group } of await readFigures(handle, scope, [window]))
    groups.push({ key: group, ...(await ask(request, group)) })
  return { ...figures, groups }
}

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
