import type { CsvCell } from '../../base/http/csv'
import { toIso } from '../../base/lib/time'
import { type Chart, type ChartFigures, type ChartSeries, valueNamesOf } from './chart'

/** The table of a chart: a line for each cell, and with groups for each group and cell. */
export function chartTable(chart: Chart, figures: ChartFigures) {
  const names = valueNamesOf(chart)
  const { groups } = figures
  const parts = groups ? groups.map(({ key, ...part }) => linesOf(part, names, [key])) : [linesOf(figures, names, [])]
  return {
    fileName: `${chart.id}.csv`,
    header: ['cellStart', ...(groups ? ['group'] : []), ...names],
    pages: pagesOf(parts),
    toCells: (line: CsvCell[]) => line,
  }
}

async function* pagesOf(parts: CsvCell[][][]): AsyncGenerator<CsvCell[][]> {
  yield* parts
}

const linesOf = ({ series }: ChartSeries, names: readonly string[], group: CsvCell[]): CsvCell[][] =>
  series.map(({ start, values }) => [toIso(start), ...group, ...names.map((name) => values[name] ?? null)])
