import { Link, useLocation } from 'wouter'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { cellNames, notesIn, runningCell } from '../../kit/charts/cells'
import { DottedSwatch, Swatch } from '../../kit/charts/legend'
import type { PlotSeries } from '../../kit/charts/model'
import { Plot } from '../../kit/charts/plot'
import { formatUnit } from '../../kit/charts/units'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Segmented } from '../../kit/tabs'
import { now } from '../../lib/clock'
import { useProject, useReading } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { useHref } from '../../parts/use-href'
import { useOpenedAt } from '../../parts/use-opened-at'
import { useText } from '../../text/catalogue'
import { CHART, DAYS, type Grain, revenueAsked, thisMinute } from './asked'

type Figures = Schemas['ChartFigures']

/** Charges up, refunds down, the period before dotted, annotations on top. */
export function RevenueChart() {
  const t = useText('overview')
  const [grain, setGrain] = useParam('grain', 'day')
  const own = grain === 'week' ? 'week' : 'day'
  const { from, figures, before, error, retry } = useRevenue(own)
  return (
    <Card
      title={t.netRevenue}
      aside={
        <Segmented
          label={t.netRevenue}
          value={own}
          onChange={setGrain}
          options={[
            ['day', t.day],
            ['week', t.week],
          ]}
        />
      }
    >
      {error && !figures ? (
        <Failure error={error} onRetry={retry} />
      ) : figures ? (
        <Drawn grain={own} from={from} figures={figures} before={before} />
      ) : (
        <Skeleton lines={7} />
      )}
    </Card>
  )
}

function useRevenue(grain: Grain) {
  const here = useProject()
  const openedAt = useOpenedAt(thisMinute)
  const asked = revenueAsked(here, grain, openedAt)
  const chart = useRead(CHART, asked.own)
  const earlier = useRead(CHART, asked.before)
  const retry = () => void chart.refetch()
  const { from } = asked.own.params.query
  return {
    from,
    figures: chart.data ?? null,
    before: earlier.isPlaceholderData ? null : (earlier.data ?? null),
    error: chart.error,
    retry,
  }
}

interface DrawnProps {
  grain: Grain
  /** The first day that is shown. */
  from: string
  figures: Figures
  before: Figures | null
}

function Drawn({ grain, from, figures, before }: DrawnProps) {
  const t = useText('overview')
  const reading = useReading()
  const href = useHref()
  const { path, project } = useProject()
  const [, go] = useLocation()
  const annotations = useRead('/dashboard/projects/{projectId}/charts/annotations', {
    params: { path, query: { limit: 100 } },
  })
  const starts = figures.series.map(({ start }) => start)
  const series = seriesOf(t, figures)
  const dotted = before?.series.slice(0, starts.length).map(({ values }) => values.gross ?? null) ?? null
  const rows = (start: string, value: string, isWhole = false) =>
    href('/charts/revenue', {
      ...(grain === 'week' && { range: 'custom', grain, from }),
      ...{ start, value, ...(isWhole && { whole: '1' }) },
    })
  if (figures.totals.gross === 0 && figures.totals.refunds === 0 && !dotted?.some((value) => value))
    return <Empty title={t.noRevenue}>{t.noRevenueHint}</Empty>
  return (
    <>
      <Legend
        series={series}
        figures={figures}
        hasBefore={dotted !== null}
        days={DAYS[grain]}
        hrefOf={(value) => rows(starts[0] ?? '', value, true)}
      />
      <Plot
        label={t.revenueLabel}
        cells={cellNames(starts, grain, reading.locale, project.timezone)}
        series={series}
        before={dotted && { name: t.before(String(DAYS[grain])), values: dotted }}
        running={runningCell(starts, now(), now())}
        runningText={t.soFar}
        notes={notesIn(annotations.data?.items ?? [], starts, now())}
        format={(value) => formatUnit(reading, figures.unit, value)}
        formatTick={(value) => formatUnit(reading, figures.unit, value, { compact: true })}
        onOpen={(cell) => go(rows(starts[cell] ?? '', 'net'))}
        height={250}
      />
    </>
  )
}

function seriesOf(t: { charges: string; refunds: string }, { series }: Figures): PlotSeries[] {
  return [
    { key: 'gross', name: t.charges, kind: 'bar', color: 'd1', values: series.map(({ values }) => values.gross ?? 0) },
    {
      ...{ key: 'refunds', name: t.refunds, kind: 'bar', color: 'n1' },
      values: series.map(({ values }) => (values.refunds ? -values.refunds : 0)),
    },
  ]
}

interface LegendProps {
  series: readonly PlotSeries[]
  figures: Figures
  hasBefore: boolean
  days: number
  /** The rows of a value over all periods. */
  hrefOf: (value: string) => string
}

function Legend({ series, figures, hasBefore, days, hrefOf }: LegendProps) {
  const t = useText('overview')
  const reading = useReading()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-2 text-xs text-ink-2">
      {series.map((one) => (
        <Link key={one.key} href={hrefOf(one.key)} className="inline-flex min-h-6 items-center gap-1.5 hover:underline">
          <Swatch series={one} />
          {one.name}
          <span className="font-medium text-ink tabular-nums">
            {formatUnit(
              reading,
              figures.unit,
              one.values.reduce<number>((sum, value) => sum + (value ?? 0), 0),
            )}
          </span>
        </Link>
      ))}
      {hasBefore && (
        <span className="inline-flex items-center gap-1.5">
          <DottedSwatch /> {t.before(String(days))}
        </span>
      )}
    </div>
  )
}
