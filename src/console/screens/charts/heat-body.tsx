import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { cellNames } from '../../kit/charts/cells'
import { Heat } from '../../kit/charts/heat'
import { formatUnit } from '../../kit/charts/units'
import { Empty } from '../../kit/empty'
import { useProject, useReading } from '../../lib/session'
import { SandboxNote, useSandboxAlone } from '../../parts/sandbox-note'
import { useText } from '../../text/catalogue'
import type { Asked } from './asked'
import { partOf, rowsOf } from './figures'
import { useRowsHref } from './links'
import { titleOf, valueName } from './series'

/** A cohort chart: a row for each start, a column for each age. */
export function HeatBody({ asked, figures }: { asked: Asked; figures: Schemas['ChartFigures'] }) {
  const t = useText('charts')
  const reading = useReading()
  const { project } = useProject()
  const href = useRowsHref()
  const { series } = partOf(asked, figures)
  const { chart } = asked
  const last = Math.max(
    ...chart.values.map((value, index) => (series.some(({ values }) => values[value] != null) ? index : -1)),
  )
  if (last < 0)
    return (
      <Card>
        <Nothing asked={asked} />
      </Card>
    )
  const values = chart.values.slice(0, last + 1)
  const starts = series.map(({ start }) => start)
  const names = cellNames(starts, figures.grain, reading.locale, project.timezone)
  const all = series.flatMap((one) => values.map((value) => one.values[value] ?? 0))
  return (
    <Card flush>
      <div className="p-3">
        <Heat
          label={titleOf(t, chart)}
          corner={t.period}
          columns={values.map((value) => valueName(t, chart, value))}
          rows={series.map((one, index) => ({
            key: one.start,
            title: names[index]?.title ?? '',
            values: values.map((value) => one.values[value] ?? null),
          }))}
          most={figures.unit === 'share' ? 1 : Math.max(...all, 1)}
          format={(value) => formatUnit(reading, figures.unit, value, { whole: true })}
          hrefOf={(row, column) => {
            const rows = rowsOf(asked, { value: values[column] ?? '' })
            return rows ? href(starts[row] ?? '', rows) : null
          }}
        />
      </div>
    </Card>
  )
}

/** Where a chart has nothing to draw, and why. */
export function Nothing({ asked: { chart } }: { asked: Asked }) {
  const t = useText('charts')
  const isSandboxAlone = useSandboxAlone(chart.filters.includes('environment'))
  return <Empty title={t.empty}>{isSandboxAlone ? <SandboxNote /> : t.emptyHint}</Empty>
}
