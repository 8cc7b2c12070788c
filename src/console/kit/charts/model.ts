/** Colours of the palette that a series can have. */
export type SeriesColor = 'd1' | 'd2' | 'd3' | 'd4' | 'd5' | 'n1' | 'n2' | 'ink' | 'ink-3'

export interface PlotSeries {
  key: string
  name: string
  /** Bars are stacked, those below zero downward. */
  kind: 'bar' | 'line' | 'area'
  color: SeriesColor
  /** Of bars below zero, where it is another. */
  below?: SeriesColor
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

export interface PlotProps {
  /** What the chart shows, and where its table is. */
  label: string
  cells: readonly PlotCell[]
  series: readonly PlotSeries[]
  before?: { name: string; values: readonly (number | null)[] } | null
  /** The cell that is not over yet. */
  running?: number | null
  /** The word beside the title of that cell. */
  runningText?: string
  notes?: readonly PlotNote[]
  format: (value: number) => string
  formatTick: (value: number) => string
  isWhole?: boolean
  /** Opens the rows of a cell, by a click or Enter. */
  onOpen?: ((cell: number) => void) | undefined
  height?: number
}

export const colorOf = (color: SeriesColor): string => `var(--${color})`
