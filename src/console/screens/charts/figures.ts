import type { Schemas } from '../../api/schemas'
import type { Texts } from '../../text/catalogue'
import type { Asked } from './asked'
import { groupSeries, seriesOf, type TotalSeries } from './series'
import { hasOwnGroups, hasRows, netChartOf } from './shape'

type Figures = Schemas['ChartFigures']
export type Part = Pick<Figures, 'series' | 'totals'>

/** Whether the groups are drawn on each other. Of several values it is the net, else the first one. */
export const isGrouped = ({ by }: Asked): boolean => by !== null

/** The whole, or the one group that is chosen. */
export function partOf({ group }: Asked, figures: Figures): Part {
  if (group === null) return figures
  return figures.groups?.find(({ key }) => (key ?? '') === group) ?? figures
}

export const drawn = (t: Texts['charts'], asked: Asked, figures: Figures): TotalSeries[] =>
  isGrouped(asked) ? groupSeries(t, asked.chart, figures) : seriesOf(t, asked.chart, partOf(asked, figures))

export interface RowsAsked {
  value: string
  group: string | undefined
  /** The other chart that has them. */
  chart?: string
}

/** The value and group by which the rows of a series are asked; null when it has none. */
export function rowsOf(
  { chart, group }: Asked,
  series: Pick<TotalSeries, 'value' | 'group' | 'isNet'> & { key?: string },
): RowsAsked | null {
  const isNet = series.isNet === true || (series.key === 'net' && series.value === null)
  const net = isNet ? netChartOf(chart.id) : null
  if (net) return { value: 'value', group: series.group ?? group ?? undefined, chart: net }
  if (series.value === null || !hasRows(chart.id, series.value)) return null
  const own = series.group ?? group ?? undefined
  if (own === undefined && hasOwnGroups(chart)) return null
  return { value: series.value, group: own }
}

export const isNothing = (part: Part): boolean =>
  part.series.every(({ values }) => Object.values(values).every((value) => value === null || value === 0))
