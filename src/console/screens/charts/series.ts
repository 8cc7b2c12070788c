import type { ChartId } from '../../../core/chart/ids'
import type { Schemas } from '../../api/schemas'
import type { PlotSeries, SeriesColor } from '../../kit/charts/model'
import type { Texts } from '../../text/catalogue'
import { isEnd, isLoss, isTaking, type Shape, shapeOf } from './shape'

type Chart = Schemas['Chart']
type Figures = Schemas['ChartFigures']
type T = Texts['charts']

const GAINS: readonly SeriesColor[] = ['d1', 'd2', 'd3']
const LOSSES: readonly SeriesColor[] = ['n1', 'n2', 'd4']
const KINDS: readonly SeriesColor[] = ['d1', 'd5', 'd4', 'n1', 'd2', 'n2', 'd3', 'ink-3']
const MOST_GROUPS = 5

/** A series with what the whole window comes to. */
export interface TotalSeries extends PlotSeries {
  total: number | null
  /** The value of the chart that its rows are asked by; null where several are added up. */
  value: string | null
  /** The group that its rows are asked by. */
  group?: string
  /** The net of a movement, whose rows are those of another chart. */
  isNet?: boolean
  /** It can be hidden. */
  isSwitch: boolean
}

export const titleOf = (t: T, chart: Pick<Chart, 'id' | 'title'>): string =>
  t.titles?.[chart.id as ChartId] ?? chart.title

/** What a chart counts, in the language of the reader. */
export const definitionOf = (words: Texts['chartDefinitions'], chart: Pick<Chart, 'id' | 'definition'>): string =>
  words.of?.[chart.id as ChartId] ?? chart.definition

export function valueName(t: T, chart: Chart, value: string): string {
  if (value === 'value' && chart.values.length === 1) return titleOf(t, chart)
  const age = /^([md])(\d+)$/.exec(value)
  if (age) return age[1] === 'm' ? t.month(Number(age[2])) : t.day(Number(age[2]))
  return t.values[value] ?? value
}

type Part = Pick<Figures, 'series' | 'totals'>

/** The curve of one part of the figures: the whole or a group. */
export function seriesOf(t: T, chart: Chart, part: Part): TotalSeries[] {
  const shape = shapeOf(chart)
  const of = (value: string, more: Pick<TotalSeries, 'kind' | 'color'>, sign = 1): TotalSeries => ({
    ...{ key: value, name: valueName(t, chart, value), value, isSwitch: chart.values.length > 1, ...more },
    values: part.series.map(({ values }) => times(values[value], sign)),
    total: times(part.totals[value], sign),
  })
  if (shape === 'movement') return movement(t, chart, part, of)
  if (shape === 'balance')
    return [
      of('gross', { kind: 'bar', color: 'd1' }),
      of('refunds', { kind: 'bar', color: 'n1' }, -1),
      of('net', { kind: 'line', color: 'ink' }),
    ]
  return chart.values.map((value, index) =>
    of(value, { kind: KIND_OF[shape], color: isLoss(chart) ? 'n1' : (KINDS[index] ?? 'ink-3') }),
  )
}

const KIND_OF: Record<Shape, PlotSeries['kind']> = {
  ...{ bars: 'bar', stack: 'bar', movement: 'bar', balance: 'bar', heat: 'bar' },
  ...{ area: 'area', line: 'line' },
}

const times = (value: number | null | undefined, sign: number): number | null =>
  value === null || value === undefined ? null : value === 0 ? 0 : value * sign

type Of = (value: string, more: Pick<TotalSeries, 'kind' | 'color'>, sign?: number) => TotalSeries

type Values = Record<string, number | null>

/** What a movement comes to, of the values of one cell. */
function netOf(chart: Chart): (values: Values) => number {
  const flows = chart.values.filter((value) => !isEnd(value))
  return (values) => flows.reduce((sum, value) => sum + (values[value] ?? 0) * (isTaking(value) ? -1 : 1), 0)
}

/** Gains up, losses down, the net as a line. */
function movement(t: T, chart: Chart, part: Part, of: Of): TotalSeries[] {
  const flows = chart.values.filter((value) => !isEnd(value))
  const gains = flows.filter((value) => !isTaking(value))
  const losses = flows.filter(isTaking)
  const net = netOf(chart)
  return [
    ...gains.map((value, index) => of(value, { kind: 'bar', color: GAINS[index] ?? 'd5' })),
    ...losses.map((value, index) =>
      of(value, { kind: 'bar', color: LOSSES[losses.length === 2 ? 1 - index : index] ?? 'n1' }, -1),
    ),
    {
      ...{ key: 'net', name: t.net, kind: 'line', color: 'ink', value: null, isSwitch: true },
      values: part.series.map(({ values }) => net(values)),
      total: net(part.totals),
    },
  ]
}

export const groupName = (t: T, key: string | null): string => (key === null ? t.noGroup : (t.stores[key] ?? key))

/** The series that represents a chart when it is grouped. */
interface Grouped {
  /** Its name; null where the chart has no other value. */
  name: string | null
  /** The value of the chart; null for the net of a movement. */
  value: string | null
  of: (values: Values) => number | null
}

/** The net of a chart with several values, else the first of them. */
export function groupedOf(t: T, chart: Chart): Grouped {
  if (shapeOf(chart) === 'movement') return { name: t.net, value: null, of: netOf(chart) }
  const value = chart.values.find((one) => one === 'net') ?? chart.values[0] ?? 'value'
  const name = chart.values.length > 1 ? valueName(t, chart, value) : null
  return { name, value, of: (values) => values[value] ?? null }
}

/** A series for each of the largest groups; the others together, where they add up. */
export function groupSeries(t: T, chart: Chart, figures: Figures): TotalSeries[] {
  const { value, of } = groupedOf(t, chart)
  const shape = shapeOf(chart)
  const sorted = (figures.groups ?? []).toSorted((a, b) => Math.abs(of(b.totals) ?? 0) - Math.abs(of(a.totals) ?? 0))
  const kind = shape === 'area' ? 'bar' : KIND_OF[shape]
  const first = sorted.slice(0, MOST_GROUPS).map(
    ({ key, series, totals }, index): TotalSeries => ({
      ...{ key: `group ${key ?? ''}`, name: groupName(t, key), kind, color: KINDS[index] ?? 'ink-3', value },
      ...{ isSwitch: true, isNet: value === null, group: key ?? '' },
      values: series.map(({ values }) => of(values)),
      total: of(totals),
    }),
  )
  const rest = sorted.slice(MOST_GROUPS)
  if (rest.length === 0 || kind !== 'bar') return first
  const sum = (numbers: (number | null | undefined)[]) => numbers.reduce<number>((all, one) => all + (one ?? 0), 0)
  return [
    ...first,
    {
      ...{ key: 'others', name: t.others, kind, color: 'ink-3', value: null, isSwitch: true },
      values: figures.series.map((_, cell) => sum(rest.map(({ series }) => of(series[cell]?.values ?? {})))),
      total: sum(rest.map(({ totals }) => of(totals))),
    },
  ]
}
