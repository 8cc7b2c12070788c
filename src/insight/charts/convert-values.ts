import type { ReportRate } from '../figures/report-rate'
import type { ChartFigures, ChartSeries, ChartValues } from './chart'

/** Values in USD micros in the currency of the report, each for itself. */
export const convertValues = (figures: ChartFigures, rate: ReportRate): ChartFigures => ({
  ...figures,
  ...seriesOf(figures, rate),
  ...(figures.groups && { groups: figures.groups.map((one) => ({ key: one.key, ...seriesOf(one, rate) })) }),
})

const seriesOf = ({ series, totals }: ChartSeries, rate: ReportRate): ChartSeries => ({
  series: series.map(({ start, values }) => ({ start, values: valuesOf(values, rate) })),
  totals: valuesOf(totals, rate),
})

const valuesOf = (values: ChartValues, { convert }: ReportRate): ChartValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? null : convert(value)]))
