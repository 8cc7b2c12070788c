import { localDays } from '../../base/lib/local-days'
import type { Cell } from '../figures/cells'
import type { CellFigures } from '../figures/series'

/** A figure of the overview: now, 30 days earlier, and on each of the last 30 days. */
export interface Figure {
  value: number
  previous: number
  daily: number[]
}

/** An amount, and the number of items that are missing from it because they have no exchange rate. */
export interface AmountFigure extends Figure {
  unconverted: number
}

export const ENTRY_FIGURES = ['mrr', 'activeSubscriptions', 'trials', 'revenue30d'] as const
export const FIGURE_NAMES = [...ENTRY_FIGURES, 'newSubscribers30d'] as const

type Amounts = Record<'mrr' | 'revenue30d', AmountFigure>
export type EntryFigures = Amounts & Record<'activeSubscriptions' | 'trials', Figure>
export type Figures = EntryFigures & { newSubscribers30d: Figure }

export const SHOWN_DAYS = 30

/** Today and the 59 days before it, in the calendar of the project. */
export interface Days {
  timezone: string
  today: number
  /** The first instants of the 60 days, and of tomorrow. */
  starts: readonly number[]
}

export function daysUntil(timezone: string, now: number): Days {
  const calendar = localDays(timezone)
  const today = calendar.dayOf(now)
  const numbers = Array.from({ length: 2 * SHOWN_DAYS + 1 }, (_, index) => today + 1 - 2 * SHOWN_DAYS + index)
  return { timezone, today, starts: numbers.map((day) => calendar.startOf(day)) }
}

/** One cell for each of the 60 days. The last one ends now. */
export const cellsOf = ({ starts }: Days, now: number): Cell[] =>
  starts.slice(0, -1).map((start, index) => ({ start, end: Math.min(starts[index + 1] ?? now + 1, now + 1) }))

/** @param cells of the 60 days */
export const entryFigures = (cells: readonly CellFigures[]): EntryFigures => ({
  mrr: { ...stock(cells, ({ end }) => end.mrr), unconverted: cells.at(-1)?.end.unconverted ?? 0 },
  activeSubscriptions: stock(cells, ({ end }) => end.paid),
  trials: stock(cells, ({ end }) => end.trials),
  revenue30d: {
    ...flow(cells.map(({ sums }) => sums.gross - sums.refunds)),
    unconverted: cells.slice(-SHOWN_DAYS).reduce((count, { sums }) => count + sums.unconverted, 0),
  },
})

/** A figure of an instant: each day has the one at its end, and `previous` is the one when the first of them started. */
function stock(cells: readonly CellFigures[], of: (cell: CellFigures) => number): Figure {
  const all = cells.map(of)
  return { value: all.at(-1) ?? 0, previous: all.at(-SHOWN_DAYS - 1) ?? 0, daily: all.slice(-SHOWN_DAYS) }
}

/** A sum over time: the 30 days, and the 30 days before them. */
export function flow(daily: readonly number[]): Figure {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  const shown = daily.slice(-SHOWN_DAYS)
  return { value: sum(shown), previous: sum(daily.slice(-2 * SHOWN_DAYS, -SHOWN_DAYS)), daily: shown }
}
