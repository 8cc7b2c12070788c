import type { Schemas } from '../../api/schemas'
import { dateIn, monthStart, plusDays } from '../../parts/chart-window'

type Figures = Schemas['ChartFigures']

/**
 * How the figure of a chart on top is found: `state` is a state of today, `sum` and `share` are of 30 days, `year` is
 * of twelve months, `cohort` of the newest month that has the value.
 */
type Kind = 'state' | 'sum' | 'share' | 'year' | 'cohort'

export interface Top {
  id: keyof typeof TOP
  kind: Kind
  /** The value of a chart with several. */
  value: string
  /** Whether more of it is worse. */
  isBad: boolean
}

/** The charts at the top of the gallery, the most common questions first. */
export const TOP = {
  mrr: { kind: 'state', value: 'value', isBad: false },
  'net-revenue': { kind: 'sum', value: 'value', isBad: false },
  'active-subscriptions': { kind: 'state', value: 'value', isBad: false },
  'new-paid-subscriptions': { kind: 'sum', value: 'value', isBad: false },
  'active-trials': { kind: 'state', value: 'value', isBad: false },
  'trial-conversion': { kind: 'share', value: 'value', isBad: false },
  'mrr-churn-rate': { kind: 'share', value: 'value', isBad: true },
  'refund-rate': { kind: 'share', value: 'value', isBad: true },
  retention: { kind: 'cohort', value: 'm3', isBad: false },
  ltv: { kind: 'year', value: 'mean', isBad: false },
} as const satisfies Record<string, Omit<Top, 'id'>>

export const TOP_IDS = Object.keys(TOP) as (keyof typeof TOP)[]

export const topOf = (id: string): Top | null =>
  id in TOP ? { id: id as keyof typeof TOP, ...TOP[id as keyof typeof TOP] } : null

const DAYS = 30

type Query = Record<string, string> & { grain: 'day' | 'month' | 'total' }

/** The request of a figure, and that of the period before where one answer does not have both. */
export function topQueries({ kind }: Top, zone: string, at: number): { own: Query; before: Query | null } {
  const today = dateIn(zone, at)
  const begin = plusDays(today, 1 - DAYS)
  if (kind === 'share')
    return {
      own: { grain: 'day', from: begin },
      before: { grain: 'total', from: plusDays(begin, -DAYS), to: begin },
    }
  if (kind === 'year')
    return {
      own: { grain: 'month', from: monthStart(today, -11) },
      before: { grain: 'total', from: monthStart(today, -23), to: monthStart(today, -11) },
    }
  if (kind === 'cohort') return { own: { grain: 'month', from: monthStart(today, -18) }, before: null }
  return { own: { grain: 'day', from: plusDays(begin, -DAYS) }, before: null }
}

export interface TopFigure {
  value: number | null
  previous: number | null
  /** The run of it, without the day that is not over of a sum. */
  run: number[]
}

const sumOf = (numbers: readonly (number | null)[]): number => numbers.reduce<number>((sum, one) => sum + (one ?? 0), 0)

const known = (numbers: readonly (number | null)[]): number[] => numbers.filter((one) => one !== null)

export function topFigure({ kind, value }: Top, own: Figures, before: Figures | null): TopFigure {
  const all = own.series.map(({ values }) => values[value] ?? null)
  if (kind === 'cohort') {
    const found = known(all)
    return { value: found.at(-1) ?? null, previous: found.at(-2) ?? null, run: found.slice(-12) }
  }
  if (kind === 'share' || kind === 'year')
    return { value: own.totals[value] ?? null, previous: before?.totals[value] ?? null, run: known(all.slice(0, -1)) }
  const shown = all.slice(-DAYS)
  if (kind === 'state') return { value: shown.at(-1) ?? null, previous: all.at(-DAYS - 1) ?? null, run: known(shown) }
  return { value: sumOf(shown), previous: sumOf(all.slice(0, -DAYS)), run: known(shown.slice(0, -1)) }
}
