import { roundHalfAway } from '../../core/money/money'
import { MONEY_NAMES, VALUE_NAMES } from '../figures/model'
import { PHASE_STOCKS } from '../figures/phase-stocks'
import { mrrChange } from '../figures/record'
import type { CellFigures, Stocks } from '../figures/series'
import { SUM_NAMES, type Sums } from '../figures/sums'

/** How a sum weighs the values of entries; absent = not at all. */
export type Weights = { readonly [Name in keyof Sums]?: number }

/** What entries that fall into a cell add up to. */
export interface Flow {
  kind: 'flow'
  of: Weights
}

/** What all entries before the start or the end of a cell add up to. */
export interface Stock {
  kind: 'stock'
  side: 'start' | 'end'
  name: keyof Stocks
  times: number
}

/** One of the two divided by the other; null where that is nothing. A mean is rounded half away from zero. */
export interface Quotient<Kind extends 'share' | 'mean' = 'share' | 'mean'> {
  kind: Kind
  part: Flow | Stock
  of: Flow | Stock
}

/** How a value of a chart follows from entries. */
export type Figure = Flow | Stock | Quotient<'share'> | Quotient<'mean'>

export const flow = (of: Weights): Flow => ({ kind: 'flow', of })
export const atStart = (name: keyof Stocks, times = 1): Stock => ({ kind: 'stock', side: 'start', name, times })
export const atEnd = (name: keyof Stocks, times = 1): Stock => ({ kind: 'stock', side: 'end', name, times })
export const share = (part: Flow | Stock, of: Flow | Stock): Quotient<'share'> => ({ kind: 'share', part, of })
export const mean = (part: Flow | Stock, of: Flow | Stock): Quotient<'mean'> => ({ kind: 'mean', part, of })

/** The value of a cell. */
export function valueIn(figure: Figure, cell: CellFigures): number | null {
  if (figure.kind === 'flow') return weigh(figure.of, cell.sums)
  if (figure.kind === 'stock') return cell[figure.side][figure.name] * figure.times
  // A quotient is one of dollars in every currency; a mean of them is converted afterwards.
  const { usd = cell, rate } = cell.report ?? {}
  const [part, of] = [valueIn(figure.part, usd) ?? 0, valueIn(figure.of, usd) ?? 0]
  if (of === 0) return null
  if (figure.kind === 'share') return part / of
  const mean = roundHalfAway(part / of)
  return rate && unitOf(figure.part) === 'USD' ? rate.convert(mean) : mean
}

const weigh = (weights: Weights, sums: Sums): number =>
  SUM_NAMES.reduce((total, name) => total + (weights[name] ?? 0) * sums[name], 0)

/** What an entry adds to a value that is no quotient. */
export function contributionOf(figure: Flow | Stock): Weights {
  if (figure.kind === 'flow') return figure.of
  const of = STOCK_WEIGHTS[figure.name]
  return Object.fromEntries(Object.entries(of).map(([name, weight]) => [name, weight * figure.times]))
}

const STOCK_WEIGHTS: Record<keyof Stocks, Weights> = {
  mrr: Object.fromEntries(
    VALUE_NAMES.map((name) => [name, mrrChange({ [name]: 1 })]).filter(([, weight]) => weight !== 0),
  ),
  paid: { paidIn: 1, paidOut: -1 },
  trials: { trialIn: 1, trialOut: -1 },
  unconverted: { mrrUnconverted: 1 },
  ...PHASE_STOCKS,
}

/** What its rows add up to: of a quotient, what is divided. */
export const partOf = (figure: Figure): Flow | Stock => ('part' in figure ? figure.part : figure)

/** The sums that a value is made of. */
export const sumsOf = (figure: Figure): (keyof Sums)[] =>
  'of' in figure && figure.kind !== 'flow'
    ? [...sumsOf(figure.part), ...sumsOf(figure.of)]
    : (Object.keys(contributionOf(figure as Flow | Stock)) as (keyof Sums)[])

/** In what an entry counts. */
export const unitOf = (figure: Flow | Stock): 'USD' | 'count' =>
  MONEY_NAMES.some((name) => contributionOf(figure)[name]) ? 'USD' : 'count'
