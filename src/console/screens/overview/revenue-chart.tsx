import { useState } from 'react'
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
import { useText } from '../../text/catalogue'
import { CHART, DAYS, type Grain, revenueAsked, thisMinute } from './asked'

type Figures = Schemas['ChartFigures']

/** Charges up, refunds down, the period before dotted, annotations on top. */
export function RevenueChart() {
  const t = useText('overview')
  const [grain, setGrain] = useParam('grain', 'day')
  const own = grain === 'week' ? 'week' : 'day'
  const { figures, before, error, retry } = useRevenue(own)
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
        <Drawn grain={own} figures={figures} before={before} />
      ) : (
        <Skeleton lines={7} />
      )}
    </Card>
  )
}

function useRevenue(grain: Grain) {
  const here = useProject()
  const [openedAt] = useState(thisMinute)
  const asked = revenueAsked(here, grain, openedAt)
  const chart = useRead(CHART, asked.own)
  const earlier = useRead(CHART, asked.before)
  const retry = () => void chart.refetch()
  return { figures: chart.data ?? null, before: earlier.data ?? null, error: chart.error, retry }
}

interface DrawnProps {
  grain: Grain
  figures: Figures
  before: Figures | null
}

function Drawn({ grain, figures, before }: DrawnProps) {
  const t = useText('overview')
  const reading = useReading()
  const { path, project, base, environment } = useProject()
  const [, go] = useLocation()
  const annotations = useRead('/dashboard/projects/{projectId}/charts/annotations', {
    params: { path, query: { limit: 100 } },
  })
  const starts = figures.series.map(({ start }) => start)
  const series = seriesOf(t, figures)
  const dotted = before?.series.slice(0, starts.length).map(({ values }) => values.gross ?? null) ?? null
  const rest = `${grain === 'week' ? 'range=custom&grain=week&' : ''}${environment === 'SANDBOX' ? 'env=sandbox&' : ''}`
  const href = `${base}/charts/revenue?${rest}${grain === 'week' ? `from=${starts[0]?.slice(0, 10)}&` : ''}`
  if (figures.totals.gross === 0 && figures.totals.refunds === 0 && !dotted?.some((value) => value))
    return <Empty title={t.noRevenue}>{t.noRevenueHint}</Empty>
  return (
    <>
      <Legend series={series} figures={figures} hasBefore={dotted !== null} days={DAYS[grain]} href={href} />
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
        onOpen={(cell) => go(`${href}start=${encodeURIComponent(starts[cell] ?? '')}&value=net`)}
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
  href: string
}

function Legend({ series, figures, hasBefore, days, href }: LegendProps) {
  const t = useText('overview')
  const reading = useReading()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-2 text-xs text-ink-2">
      {series.map((one) => (
        <Link key={one.key} href={href} className="inline-flex min-h-6 items-center gap-1.5 hover:underline">
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
