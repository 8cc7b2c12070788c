import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { ChartId } from '../../core/chart/ids'
import type { Cell } from '../figures/cells'
import type { PeopleQuestion } from '../figures/kept/count-person'
import type { EntryKind } from '../figures/model'
import type { FigureRequest } from '../figures/scope'
import { GROUPS, type SumScope } from '../figures/sums'
import { type Figure, partOf, unitOf } from './figure'

/** `USD`: micros. `share`: a fraction. `ratio`: a quotient that can be above one. `ms`: milliseconds. */
export type Unit = 'USD' | 'count' | 'share' | 'ratio' | 'ms'

/** Query members by which a chart is narrowed. */
export const FILTER_NAMES = [...GROUPS, 'audience', 'cohort', 'environment', 'knownAt'] as const
export type FilterName = (typeof FILTER_NAMES)[number]

/** What charts are about, in the order of their list. */
export const CHART_GROUPS = [
  'money',
  'transactions',
  'recurring',
  'subscriptions',
  'endings',
  'billing',
  'forecast',
  'trials',
  'people',
  'app',
  'usage',
  'funnels',
] as const
export type ChartGroup = (typeof CHART_GROUPS)[number]

/** What a chart is called, and what it means. */
export interface ChartAbout {
  /** As in its path. */
  id: ChartId
  title: string
  unit: Unit
  /** In words. */
  definition: string
  formula: string
  filters: readonly FilterName[]
}

/** A chart whose values follow from the sums of entries. */
export interface EntryChart extends ChartAbout {
  values: Readonly<Record<string, Figure>>
  /** Only entries of these kinds count; all by default. */
  kinds?: readonly EntryKind[]
  /** What is counted as left out for want of an exchange rate; nothing by default. */
  unconverted?: Figure
}

export type ChartValues = Record<string, number | null>

/** The cells of a whole or of a group, and the window as one more. */
export interface ChartSeries {
  series: { start: number; values: ChartValues }[]
  totals: ChartValues
}

export interface ChartFigures extends ChartSeries {
  groups?: ({ key: string | null } & ChartSeries)[]
  unconverted: number
  /** Of an answer that is not computed each time. */
  computedAt?: number
}

/** One row that a figure is made of. */
export interface ChartRow {
  purchaseId: string | null
  transactionId: string | null
  subscriberId: string | null
  at: number
  productIdentifier: string | null
  store: string | null
  /** Of a chart of funnels. */
  funnelSessionId?: string
  contribution: number
  /** What rows of one time are ordered by, descending. */
  tie: string
}

/** Where a page of rows starts, and how many it reads. */
export interface RowPage {
  after: { at: number; tie: string } | null
  limit: number
}

/** The rows of one value in a cell, newest first. `group` is one of a chart with groups of its own. */
export type ReadRows = (
  handle: Handle,
  scope: SumScope,
  cell: Cell,
  page: RowPage,
  group?: string,
) => Promise<ChartRow[]>

/** A chart that is asked of other tables than that of the entries. */
export interface AskedChart extends ChartAbout {
  valueNames: readonly string[]
  ask: (handle: Handle, request: FigureRequest) => Promise<ChartFigures>
  /** Of a chart of counted people: the answers to this question are kept and brought up to date. */
  question?: PeopleQuestion
  /** Every new entry can change any of its cells: in a large project it is computed at most once an hour. */
  isOfLives?: boolean
  /** The same answer as that of `ask`, of a large project, in one pass. */
  askAll?: (ctx: Context, request: FigureRequest) => Promise<ChartFigures>
  /** By the name of the value; a value without an own reader has no rows. */
  rows: Readonly<Record<string, ReadRows>>
  rowUnit?: Unit
  /** It always has groups of its own, such as currencies, which no query names. */
  hasOwnGroups?: boolean
}

export type ChartDefinition = EntryChart | AskedChart

/** A chart in the list. */
export type Chart = ChartDefinition & { group: ChartGroup }

/** The charts of one group, in the order of their list. */
export const inGroup = (group: ChartGroup, charts: readonly ChartDefinition[]): readonly Chart[] =>
  charts.map((chart) => ({ ...chart, group }))

/** A chart of entries takes every filter. */
export const entryChart = (chart: Omit<EntryChart, 'filters'>): EntryChart => ({ ...chart, filters: FILTER_NAMES })

export const isEntryChart = (chart: ChartDefinition): chart is EntryChart => 'values' in chart

/** Whether any of its values or rows is an amount. */
export const isMoney = (chart: ChartDefinition): boolean =>
  chart.unit === 'USD' ||
  (isEntryChart(chart) && Object.values(chart.values).some((figure) => unitOf(partOf(figure)) === 'USD'))

export const valueNamesOf = (chart: ChartDefinition): readonly string[] =>
  isEntryChart(chart) ? Object.keys(chart.values) : chart.valueNames
