import { Link } from 'wouter'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Sparkline } from '../../kit/charts/sparkline'
import { changeOf, formatUnit } from '../../kit/charts/units'
import { cx } from '../../lib/class-names'
import { formatNumber, formatShare } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { StarButton } from '../../parts/star'
import { useHref } from '../../parts/use-href'
import { useOpenedAt } from '../../parts/use-opened-at'
import { useText } from '../../text/catalogue'
import { TOP_IDS, type Top, type TopFigure, topFigure, topOf, topQueries } from './top'

type Chart = Schemas['Chart']

/** Ten charts with their current figures. */
export function TopTiles({ charts }: { charts: readonly Chart[] }) {
  const t = useText('charts')
  const shown = TOP_IDS.flatMap((id) => charts.find((one) => one.id === id) ?? [])
  return (
    <ul
      aria-label={t.topCharts}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line shadow-card lg:grid-cols-5"
    >
      {shown.map((chart) => {
        const top = topOf(chart.id)
        return top && <TopTile key={chart.id} chart={chart} top={top} />
      })}
    </ul>
  )
}

function useTop(chart: Chart, top: Top) {
  const { path, project, environment } = useProject()
  const { own, before } = topQueries(top, project.timezone, useOpenedAt())
  const of = (query: object) => ({
    params: {
      path: { ...path, chartId: chart.id },
      query: { ...query, ...(chart.filters.includes('environment') && { environment }) },
    },
  })
  const CHART = '/dashboard/projects/{projectId}/charts/{chartId}'
  const present = useRead(CHART, of(own))
  const past = useRead(CHART, of(before ?? own), { enabled: before !== null })
  const isWhole = present.data && (before === null || past.data)
  return {
    unit: present.data?.unit ?? chart.unit,
    figure: isWhole ? topFigure(top, present.data, before === null ? null : (past.data ?? null)) : null,
    hasFailed: Boolean(present.error ?? past.error) && !isWhole,
  }
}

function TopTile({ chart, top }: { chart: Chart; top: Top }) {
  const t = useText('charts')
  const href = useHref()
  const reading = useReading()
  const { unit, figure, hasFailed } = useTop(chart, top)
  const { name, hint } = t.top[top.id]
  const value = figure?.value ?? null
  return (
    <li className="relative grid min-w-0 content-start gap-1 bg-surface px-4 py-3 hover:bg-hover">
      <span className="flex min-w-0 items-start justify-between gap-1">
        <Link
          href={href(`/charts/${chart.id}`)}
          className="min-w-0 font-medium break-words hyphens-auto text-accent after:absolute after:inset-0"
        >
          {name}
        </Link>
        <StarButton path={`/charts/${chart.id}`} name={name} className="relative z-1 -my-1 -mr-2" />
      </span>
      <span className="truncate text-2xl font-medium tracking-[-0.022em] tabular-nums" data-top={top.id}>
        {value === null ? (figure || hasFailed ? '—' : '\u00a0') : formatUnit(reading, unit, value)}
      </span>
      <span className="flex min-h-7 items-end justify-between gap-2">
        {hasFailed ? <span className="text-xs text-bad">{t.unread}</span> : <Change top={top} figure={figure} />}
        <Sparkline values={figure?.run ?? []} />
      </span>
      <span className="text-xs text-ink-2">{hint}</span>
    </li>
  )
}

/** Good or bad decides the colour, not the sign. Shares change by points. */
function Change({ top, figure }: { top: Top; figure: TopFigure | null }) {
  const t = useText('charts')
  const reading = useReading()
  if (!figure || figure.value === null || figure.previous === null) return <span />
  const isShare = top.kind === 'share' || top.kind === 'cohort'
  const change = isShare ? figure.value - figure.previous : changeOf(figure.value, figure.previous)
  if (change === null) return <span />
  const points = `${change > 0 ? '+' : ''}${formatNumber(reading, change * 100, 1)}`
  const text = isShare ? t.points(points) : formatShare(reading, change, true)
  const isGood = change > 0 !== top.isBad
  return (
    <span
      title={t.againstBefore}
      className={cx(
        'text-xs font-medium tabular-nums',
        change === 0 ? 'text-ink-2' : isGood ? 'text-good' : 'text-bad',
      )}
    >
      {text}
    </span>
  )
}
