import type { Handle } from '../../base/db/handle'
import type { Cell } from './cells'
import { addPhases, NO_PHASE_STOCKS, type PhaseStocks } from './phase-stocks'
import { mrrChange } from './record'
import type { ReportRate } from './report-rate'
import { readCells } from './rolls/read'
import { BEGINNING } from './rolls/spans'
import { type GroupSums, NO_SUMS, SUM_NAMES, type SumScope, type Sums } from './sums'

/** What a cell is made of: the sums of its entries, and the stocks at its start and end. */
export interface CellFigures {
  cell: Cell
  sums: Sums
  start: Stocks
  end: Stocks
  /** Where the money is in another currency: the same in USD. */
  report?: { usd: CellFigures; rate: ReportRate }
}

/** Figures of an instant: USD micros a month, and numbers of purchases. */
export interface Stocks extends PhaseStocks {
  mrr: number
  paid: number
  trials: number
  unconverted: number
}

/** The cells of one group, and the whole window as one more cell. */
export interface GroupFigures {
  /** '' when nothing is grouped; null where the entries name none. */
  group: string | null
  /** The sums of everything before the window. */
  before: Sums
  cells: CellFigures[]
  total: CellFigures
}

/** The figures of a window without groups. */
export async function readWhole(handle: Handle, { scope, cells }: WholeRequest): Promise<GroupFigures> {
  const [whole] = await readFigures(handle, { ...scope, groupBy: null }, cells)
  if (!whole) throw new Error('figures without a group')
  return whole
}

interface WholeRequest {
  scope: SumScope
  cells: readonly Cell[]
}

/** The figures of a window, by group. Without grouping there is exactly one; a group of which nothing counts is absent. */
export async function readFigures(handle: Handle, scope: SumScope, cells: readonly Cell[]): Promise<GroupFigures[]> {
  const [start] = cells
  if (!start) return []
  const all = await readCells(handle, scope, [{ start: BEGINNING, end: start.start }, ...cells])
  const names = new Set(all.filter(({ sums }) => hasAny(sums)).map(({ group }) => group))
  if (scope.groupBy === null) names.add('')
  const byGroup = Map.groupBy(all, ({ group }) => group)
  return [...names].toSorted(compareGroups).map((group) => {
    return figuresOf(group, byGroup.get(group) ?? [], cells)
  })
}

const hasAny = (sums: Sums): boolean => SUM_NAMES.some((name) => sums[name] !== 0)

/** The whole that the groups of a window are the parts of. */
export function wholeOf(groups: readonly GroupFigures[], cells: readonly Cell[]): GroupFigures {
  const figures = cells.map((cell, index): CellFigures => {
    const own = groups.flatMap((one) => one.cells[index] ?? [])
    return {
      cell,
      sums: plusAll(NO_SUMS, own, (one) => one.sums),
      start: plusAll(NO_STOCKS, own, (one) => one.start),
      end: plusAll(NO_STOCKS, own, (one) => one.end),
    }
  })
  const before = plusAll(NO_SUMS, groups, (one) => one.before)
  return { group: '', before, cells: figures, total: totalOf(figures) }
}

function plusAll<One, Part extends Sums | Stocks>(zero: Part, all: readonly One[], partOf: (one: One) => Part): Part {
  const total = { ...zero } as Record<string, number>
  const names = Object.keys(zero)
  for (const one of all) {
    const part = partOf(one) as Record<string, number>
    for (const name of names) total[name] = (total[name] ?? 0) + (part[name] ?? 0)
  }
  return total as Part
}

const compareGroups = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1

/** The first of the sums is that of everything before the cells. */
function figuresOf(group: string | null, all: readonly GroupSums[], cells: readonly Cell[]): GroupFigures {
  const sumsOf = new Map(all.map(({ cell, sums }) => [cell, sums]))
  const before = sumsOf.get(0) ?? NO_SUMS
  let stocks = addTo(NO_STOCKS, before)
  const figures = cells.map((cell, index): CellFigures => {
    const sums = sumsOf.get(index + 1) ?? NO_SUMS
    const start = stocks
    stocks = addTo(start, sums)
    return { cell, sums, start, end: stocks }
  })
  return { group, before, cells: figures, total: totalOf(figures) }
}

const NO_STOCKS: Stocks = { mrr: 0, paid: 0, trials: 0, unconverted: 0, ...NO_PHASE_STOCKS }

const addTo = (stocks: Stocks, sums: Sums): Stocks => ({
  mrr: stocks.mrr + mrrChange(sums),
  paid: stocks.paid + sums.paidIn - sums.paidOut,
  trials: stocks.trials + sums.trialIn - sums.trialOut,
  unconverted: stocks.unconverted + sums.mrrUnconverted,
  ...addPhases(stocks, sums),
})

export function totalOf(cells: readonly CellFigures[]): CellFigures {
  const [first, last] = [cells[0], cells.at(-1)]
  const sums = Object.fromEntries(
    SUM_NAMES.map((name) => [name, cells.reduce((sum, one) => sum + one.sums[name], 0)]),
  ) as Sums
  return {
    cell: { start: first?.cell.start ?? 0, end: last?.cell.end ?? 0 },
    sums,
    start: first?.start ?? NO_STOCKS,
    end: last?.end ?? NO_STOCKS,
  }
}
