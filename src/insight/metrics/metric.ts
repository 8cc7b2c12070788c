import type { ReportRate } from '../figures/report-rate'
import type { CellFigures } from '../figures/series'

/** Figures of a cell: USD micros, numbers or shares; null where one would divide by nothing. */
export type MetricValues = Record<string, number | null | number[]>

/** A metric that follows from the entries of a window (wire 5.11). */
export interface Metric {
  name: string
  summary: string
  /** In words, for the documentation. */
  definition: string
  valuesOf: (figures: CellFigures) => MetricValues
  /** How much of the window is left out for want of a rate. */
  unconvertedOf: (total: CellFigures) => number
}

/** Averages in USD micros in the currency of the report. */
export const moneyIn = (
  { convert }: ReportRate,
  values: Record<string, number | null>,
): Record<string, number | null> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? null : convert(value)]))

export const share = (part: number, of: number): number | null => (of === 0 ? null : part / of)

export const flowUnconverted = ({ sums }: CellFigures): number => sums.unconverted

export const stockUnconverted = ({ end }: CellFigures): number => end.unconverted
