import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { cellNames, notesIn, runningCell } from '../../kit/charts/cells'
import { DottedSwatch } from '../../kit/charts/legend'
import { Plot } from '../../kit/charts/plot'
import { formatUnit, isLarge } from '../../kit/charts/units'
import { useProject, useReading } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { instantIn } from '../../parts/chart-window'
import { useText } from '../../text/catalogue'
import type { Asked } from './asked'
import { ChartTable, GroupTable } from './chart-table'
import { FigureRow } from './figure-row'
import { drawn, isGrouped, isNothing, partOf, rowsOf } from './figures'
import { HeatBody, Nothing } from './heat-body'
import { useRowsHref } from './links'
import { groupedOf, seriesOf, type TotalSeries, titleOf } from './series'
import { isHeat } from './shape'

interface BodyProps {
  asked: Asked
  figures: Schemas['ChartFigures']
}

/** The chart, and the table below it. */
export function ChartBody({ asked, figures }: BodyProps) {
  if (isHeat(asked.chart)) return <HeatBody asked={asked} figures={figures} />
  return (
    <>
      <Drawing asked={asked} figures={figures} />
      <ChartTable asked={asked} figures={figures} />
      {asked.by && (asked.chart.values.length > 1 || (figures.groups?.length ?? 0) > 5) && (
        <GroupTable asked={asked} figures={figures} />
      )}
    </>
  )
}

function Drawing({ asked, figures }: BodyProps) {
  const t = useText('charts')
  const reading = useReading()
  const href = useRowsHref()
  const series = drawn(t, asked, figures)
  const before = useBefore(asked)
  const { unit } = figures
  const whole = isLarge(unit, Object.values(figures.totals))
  const format = (value: number) => formatUnit(reading, unit, value, { whole })
  const start = figures.series[0]?.start ?? ''
  const hrefOf = (one: TotalSeries) => {
    const rows = rowsOf(asked, one)
    return rows && figures.grain !== 'total' ? href(start, rows, true) : null
  }
  return (
    <Card flush>
      <FigureRow asked={asked} series={series} before={before?.total ?? null} format={format} hrefOf={hrefOf} />
      <div className="px-4 pt-3 pb-2">
        <GroupedBy asked={asked} />
        {isNothing(isGrouped(asked) ? figures : partOf(asked, figures)) ? (
          <Nothing asked={asked} />
        ) : (
          <DrawnPlot asked={asked} figures={figures} series={series} before={before} format={format} />
        )}
      </div>
    </Card>
  )
}

/** Which of several values the groups show. */
function GroupedBy({ asked: { by, chart } }: { asked: Asked }) {
  const t = useText('charts')
  const { name } = groupedOf(t, chart)
  if (by === null || name === null) return null
  return <p className="pb-2 text-xs text-ink-2">{t.groupedBy(name, t.filters[by].toLowerCase())}</p>
}

/** The series of the whole, for the period before. */
function useBefore({ chart, before, hidden }: Asked): { total: number | null; values: (number | null)[] } | null {
  const t = useText('charts')
  const { path } = useProject()
  const isWanted = before !== null && !hidden.has('before')
  const answer = useRead(
    '/dashboard/projects/{projectId}/charts/{chartId}',
    { params: { path: { ...path, chartId: chart.id }, query: before ?? {} } },
    { enabled: isWanted },
  )
  if (!answer.data || answer.isPlaceholderData || !isWanted) return null
  const main = seriesOf(t, chart, answer.data).findLast(
    ({ key, kind }) => key === 'net' || kind !== 'bar' || chart.values.length === 1,
  )
  return main ? { total: main.total, values: [...main.values] } : null
}

interface DrawnProps extends BodyProps {
  series: readonly TotalSeries[]
  before: ReturnType<typeof useBefore>
  format: (value: number) => string
}

function DrawnPlot({ asked, figures, series, before, format }: DrawnProps) {
  const t = useText('charts')
  const reading = useReading()
  const { path, project } = useProject()
  const [, set] = useParams()
  const annotations = useRead('/dashboard/projects/{projectId}/charts/annotations', {
    params: { path, query: { limit: 200 } },
  })
  const nameOfBefore = asked.comparison === 'year' ? t.comparisons.year : t.before
  const starts = figures.series.map((one) => one.start)
  const until = asked.window.to ? instantIn(project.timezone, asked.window.to) : asked.openedAt
  const shown = series.filter(({ key }) => !asked.hidden.has(key))
  const opened = shown.find((one) => rowsOf(asked, one)?.chart === undefined && rowsOf(asked, one) !== null)
  const open = (cell: number) => {
    const rows = opened && rowsOf(asked, opened)
    if (rows)
      set(
        {
          start: starts[cell] ?? '',
          value: rows.value,
          of: rows.group === undefined ? null : `=${rows.group}`,
          whole: null,
        },
        { push: true },
      )
  }
  return (
    <>
      <Plot
        label={t.chartLabel(titleOf(t, asked.chart))}
        cells={cellNames(starts, figures.grain, reading.locale, project.timezone)}
        series={shown}
        before={before && { name: nameOfBefore, values: before.values.slice(0, starts.length) }}
        running={asked.knownAt ? null : runningCell(starts, until, asked.openedAt)}
        runningText={t.soFar}
        notes={notesIn(annotations.data?.items ?? [], starts, until)}
        format={format}
        formatTick={(value) => formatUnit(reading, figures.unit, value, { compact: true })}
        isWhole={figures.unit === 'count'}
        onOpen={opened && open}
        height={300}
      />
      {before && (
        <p className="flex items-center gap-2 pb-1 text-xs text-ink-2">
          <DottedSwatch /> {nameOfBefore}
        </p>
      )}
    </>
  )
}
