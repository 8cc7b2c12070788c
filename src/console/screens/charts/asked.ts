import type { Schemas } from '../../api/schemas'
import type { Grain } from '../../kit/charts/cells'
import { useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import {
  dateIn,
  daysIn,
  grainsOf,
  RANGES,
  RANGES_AHEAD,
  type Range,
  usualGrain,
  type Window,
  windowBefore,
  windowOf,
  windowYearBefore,
} from '../../parts/chart-window'
import { useOpenedAt } from '../../parts/use-opened-at'
import { hasOwnGroups, isHeat, looksAhead } from './shape'

type Chart = Schemas['Chart']
export const GROUPS = ['store', 'product', 'country', 'platform', 'offering', 'placement', 'variant', 'price'] as const
export type GroupBy = (typeof GROUPS)[number]
export const FILTERS = [...GROUPS, 'audience', 'cohort'] as const
export type FilterName = (typeof FILTERS)[number]

/** Members of the address that make a saved view. */
export const VIEW_MEMBERS = [
  'range',
  'from',
  'to',
  'grain',
  'by',
  'currency',
  'known',
  'hidden',
  'group',
  'compare',
  ...FILTERS,
]

/** What the address asks of a chart. */
export interface Asked {
  chart: Chart
  range: Range
  ranges: readonly Range[]
  window: Window
  grain: Grain
  grains: readonly Grain[]
  by: GroupBy | null
  /** The chosen group of a chart with groups of its own. */
  group: string | null
  filters: { [Name in FilterName]?: string }
  currency: string | null
  knownAt: string | null
  hidden: ReadonlySet<string>
  /** When the screen was opened: what runs, runs until then. */
  openedAt: number
  /** The query of the figures. */
  query: Query
  /** The period of the comparison; null where that has no meaning. */
  comparison: (typeof COMPARISONS)[number] | null
  /** The query of the same figures of the time before; null where it is not compared. */
  before: Query | null
}

export type Query = Record<string, string> & { grain: Grain }

export function useAsked(chart: Chart): Asked {
  const { project, environment } = useProject()
  const [params] = useParams()
  const openedAt = useOpenedAt()
  const opened = dateIn(project.timezone, openedAt)
  const knownAt = chart.filters.includes('knownAt') ? pastOf(params.get('known'), opened) : null
  const today = knownAt?.slice(0, 10) ?? opened
  const ranges: Range[] = [...(looksAhead(chart.id) ? RANGES_AHEAD : []), ...RANGES, 'custom']
  const range = ranges.find((one) => one === params.get('range')) ?? usualRange(chart)
  const window = windowOf(range, today, daysIn(params))
  const grains = grainsOf(window, today)
  const wanted = isHeat(chart) && chart.id !== 'user-retention' ? 'month' : usualGrain(window, today)
  const grain = grains.find((one) => one === params.get('grain')) ?? wanted
  const by = GROUPS.find((one) => one === params.get('by') && chart.filters.includes(one)) ?? null
  const filters = Object.fromEntries(
    FILTERS.filter((name) => chart.filters.includes(name) && params.has(name)).map((name) => [name, params.get(name)]),
  ) as Asked['filters']
  const currency = params.get('currency')
  const common = {
    ...filters,
    ...(by && { groupBy: by }),
    ...(currency && { currency }),
    ...(knownAt && { knownAt }),
    ...(chart.filters.includes('environment') && { environment }),
  }
  const comparison = COMPARISONS.find((one) => one === params.get('compare')) ?? 'before'
  const isComparable = !isHeat(chart) && !range.startsWith('next') && by === null && !hasOwnGroups(chart)
  return {
    ...{ chart, range, ranges, window, grain, grains, by, filters, currency, knownAt, openedAt },
    group: params.get('group')?.slice(1) ?? null,
    hidden: new Set(params.get('hidden')?.split(',') ?? []),
    query: { ...common, ...window, grain },
    comparison: isComparable ? comparison : null,
    before:
      isComparable && comparison !== 'none'
        ? { ...common, ...windowOfBefore(comparison, { window, grain, end: endOf(knownAt, openedAt), today }), grain }
        : null,
  }
}

/** With what a chart can be compared. */
export const COMPARISONS = ['before', 'year', 'none'] as const

interface Place {
  window: Window
  grain: Grain
  end: number
  today: string
}

const windowOfBefore = (comparison: 'before' | 'year', { window, grain, end, today }: Place) =>
  comparison === 'year' ? windowYearBefore(window, grain, end) : windowBefore(window, grain, end, today)

/** Slow changes are only visible over months. */
const SLOW = new Set<string>([
  ...['churn-rate', 'voluntary-churn-rate', 'billing-churn-rate', 'subscription-movement', 'subscription-net-change'],
  ...['arpu', 'arppu', 'ltv', 'predicted-ltv'],
])

export const usualRange = (chart: Chart): Range =>
  isHeat(chart) || chart.group === 'recurring' || SLOW.has(chart.id) ? '12m' : looksAhead(chart.id) ? 'next30d' : '30d'

/** A day that has started, or an instant of one; later days are not known yet. */
const pastOf = (text: string | null, today: string): string | null =>
  text !== null && !Number.isNaN(Date.parse(text)) && text.slice(0, 10) <= today ? text : null

const endOf = (knownAt: string | null, openedAt: number): number =>
  knownAt === null ? openedAt : Math.min(openedAt, Date.parse(`${knownAt.slice(0, 10)}T23:59:59Z`))
