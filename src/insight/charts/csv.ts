import type { CsvCell } from '../../base/http/csv'
import { toIso } from '../../base/lib/time'
import type { FigureRequest } from '../figures/scope'
import { type Chart, type ChartFigures, type ChartSeries, valueNamesOf } from './chart'

/** The table of a chart: a line for each cell, and with groups for each group and cell; with its currency if not USD. */
export function chartTable(chart: Chart, { rate }: Pick<FigureRequest, 'rate'>, figures: ChartFigures) {
  const names = valueNamesOf(chart)
  const { groups } = figures
  const currency = rate ? [rate.currency] : []
  const parts = groups
    ? groups.map(({ key, ...part }) => linesOf(part, names, [...currency, key]))
    : [linesOf(figures, names, currency)]
  return {
    fileName: `${chart.id}.csv`,
    header: ['cellStart', ...(rate ? ['currency'] : []), ...(groups ? ['group'] : []), ...names],
    pages: pagesOf(parts),
    toCells: (line: CsvCell[]) => line,
  }
}

async function* pagesOf(parts: CsvCell[][][]): AsyncGenerator<CsvCell[][]> {
  yield* parts
}

const linesOf = ({ series }: ChartSeries, names: readonly string[], about: CsvCell[]): CsvCell[][] =>
  series.map(({ start, values }) => [toIso(start), ...about, ...names.map((name) => values[name] ?? null)])
