import { MONEY_NAMES } from './model'
import { mrrChange } from './record'
import type { ReportRate } from './report-rate'
import { type CellFigures, type GroupFigures, totalOf } from './series'
import type { Sums } from './sums'

/** The figures of a window in the currency of the report. */
export interface ReportedFigures {
  whole: GroupFigures
  groups: GroupFigures[] | null
}

/**
 * Converts figures so that they still add up. Each sum is converted as it is at an instant, from the start of the
 * project on, and a cell is the difference of two instants: so days add up to their month, and a movement to its end,
 * whatever the window. The whole of an answer with groups is the sum of its groups.
 */
export function inReport(rate: ReportRate | null, whole: GroupFigures, groups: GroupFigures[] | null): ReportedFigures {
  if (!rate) return { whole, groups }
  const own = groups?.map((one) => converted(one, rate)) ?? null
  const shown = converted(whole, rate)
  return { whole: own && own.length > 0 ? summed(shown, own) : shown, groups: own }
}

function converted({ group, before, cells, total }: GroupFigures, rate: ReportRate): GroupFigures {
  let usd = before
  let last = moneyOf(before, rate)
  const figures = cells.map((one): CellFigures => {
    const from = last
    // Nothing is sold in most cells of a small group.
    if (MONEY_NAMES.some((name) => one.sums[name] !== 0)) {
      usd = plus(usd, one.sums)
      last = moneyOf(usd, rate)
    }
    const to = last
    const sums = Object.fromEntries(MONEY_NAMES.map((name) => [name, to[name] - from[name]]))
    return {
      cell: one.cell,
      sums: { ...one.sums, ...sums },
      start: { ...one.start, mrr: mrrChange(from) },
      end: { ...one.end, mrr: mrrChange(to) },
      report: { usd: one, rate },
    }
  })
  return { group, before, cells: figures, total: { ...totalOf(figures), report: { usd: total, rate } } }
}

type Money = Pick<Sums, (typeof MONEY_NAMES)[number]>

const moneyOf = (sums: Sums, { convert }: ReportRate): Money =>
  Object.fromEntries(MONEY_NAMES.map((name) => [name, convert(sums[name])])) as Money

const plus = (a: Sums, b: Sums): Sums => ({
  ...a,
  ...Object.fromEntries(MONEY_NAMES.map((name) => [name, a[name] + b[name]])),
})

/** A whole with the money of its groups. */
function summed(whole: GroupFigures, groups: readonly GroupFigures[]): GroupFigures {
  const cells = whole.cells.map((one, index) =>
    withMoney(
      one,
      groups.flatMap((group) => group.cells[index] ?? []),
    ),
  )
  return {
    ...whole,
    cells,
    total: withMoney(
      whole.total,
      groups.map(({ total }) => total),
    ),
  }
}

function withMoney(one: CellFigures, parts: readonly CellFigures[]): CellFigures {
  const sum = (pick: (part: CellFigures) => number): number => parts.reduce((total, part) => total + pick(part), 0)
  const sums = Object.fromEntries(MONEY_NAMES.map((name) => [name, sum((part) => part.sums[name])]))
  return {
    ...one,
    sums: { ...one.sums, ...sums },
    start: { ...one.start, mrr: sum(({ start }) => start.mrr) },
    end: { ...one.end, mrr: sum(({ end }) => end.mrr) },
  }
}
