import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { roundHalfAway } from '../../core/money/money'
import { isElsewhere } from '../clickhouse/numbers'
import type { Cell } from '../figures/cells'
import type { PeopleQuestion } from '../figures/kept/count-person'
import { type CountCell, type CountsOf, prepareAnswers, readPeople } from '../figures/kept/read'
import { countActive } from '../figures/people'
import type { FigureRequest } from '../figures/scope'
import { readFigures } from '../figures/series'
import { askGroups, PEOPLE_FILTERS } from './asked'
import type { AskedChart, ChartFigures, ChartSeries } from './chart'
import { countCustomers } from './customers'

/** Each question, as it is answered from the entries alone. */
const COUNT: Record<PeopleQuestion, CountCell> = {
  PAYING: (handle, scope, cell) => countCustomers(handle, scope, cell, 'PAYING'),
  NEW: (handle, scope, cell) => countCustomers(handle, scope, cell, 'NEW'),
  ACTIVE: countActive,
}

type About = Omit<AskedChart, 'ask' | 'filters' | 'valueNames'> & { question: PeopleQuestion }

/** A chart whose value is a number of people. */
export const countChart = (about: About): AskedChart => ({
  ...about,
  valueNames: ['value'],
  filters: PEOPLE_FILTERS,
  ask: (handle, request) => askPeople(handle, request, about.question, async () => () => (_index, count) => count),
})

/** A chart whose value is net revenue by a number of people; null when there are none. USD micros, rounded half away from zero. */
export const perHeadChart = (about: About): AskedChart => ({
  ...about,
  valueNames: ['value'],
  filters: PEOPLE_FILTERS,
  ask: (handle, request) =>
    askPeople(handle, request, about.question, async (own) => {
      const netsOf = await readNets(handle, own)
      return (group) => {
        const nets = netsOf(group)
        return (index, count) => (count === 0 ? null : roundHalfAway((nets[index] ?? 0) / count))
      }
    }),
})

/** The value of a cell by its number of people; the window is one cell more. */
type ToValue = (index: number, count: number) => number | null

async function askPeople(
  handle: Handle,
  request: FigureRequest,
  question: PeopleQuestion,
  begin: (request: FigureRequest) => Promise<(group: string | null) => ToValue>,
): Promise<ChartFigures> {
  const cells = cellsAndWindow(request)
  const read = new Map<boolean, { countsOf: CountsOf; valuesOf: (group: string | null) => ToValue }>()
  const readAll = async (own: FigureRequest) => ({
    countsOf: await readPeople(handle, own.scope, { question, cells, countCell: COUNT[question] }),
    valuesOf: await begin(own),
  })
  return askGroups(handle, request, async (own, group): Promise<ChartSeries> => {
    const isGrouped = own.scope.groupBy !== null
    const known = read.get(isGrouped) ?? (await readAll(own))
    read.set(isGrouped, known)
    const toValue = known.valuesOf(group)
    const values = (await known.countsOf(group)).map((count, index) => ({ value: toValue(index, count) }))
    const series = own.cells.map(({ start }, index) => ({ start, values: values[index] ?? { value: null } }))
    return { series, totals: values.at(-1) ?? { value: null } }
  })
}

const cellsAndWindow = ({ cells, window }: FigureRequest): Cell[] => [...cells, window]

/** Net revenue of each cell and of the window, by group. */
async function readNets(handle: Handle, { scope, cells }: FigureRequest) {
  const all = await readFigures(handle, { ...scope, names: ['gross', 'refunds'] }, cells)
  return (group: string | null): number[] => {
    const own = all.find((one) => one.group === group)
    return own ? [...own.cells, own.total].map(({ sums }) => sums.gross - sums.refunds) : []
  }
}

/** Counts what a chart of people needs and no saved answer has. */
export async function preparePeople(ctx: Context, question: PeopleQuestion, request: FigureRequest): Promise<void> {
  if (isElsewhere(ctx)) return
  const { scope } = request
  const cells = cellsAndWindow(request)
  await prepareAnswers(ctx, { ...scope, groupBy: null }, question, cells)
  if (scope.groupBy !== null) await prepareAnswers(ctx, scope, question, cells)
}
