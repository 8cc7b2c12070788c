/** Colours of the palette that a series can have. */
export type SeriesColor = 'd1' | 'd2' | 'd3' | 'd4' | 'd5' | 'n1' | 'n2' | 'ink' | 'ink-3'

export interface PlotSeries {
  key: string
  name: string
  /** Bars are stacked, those below zero downward. */
  kind: 'bar' | 'line' | 'area'
  color: SeriesColor
  /** One for each cell; null where there is none. */
  values: readonly (number | null)[]
}

export interface PlotCell {
  /** In full, such as `September 2026`. */
  title: string
  /** On the axis, such as `Sep`. */
  tick: string
}

export interface PlotNote {
  cell: number
  text: string
}

export const colorOf = (color: SeriesColor): string => `var(--${color})`
