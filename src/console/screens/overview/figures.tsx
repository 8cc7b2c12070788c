import { Link } from 'wouter'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Sparkline } from '../../kit/charts/sparkline'
import { changeOf, formatUnit } from '../../kit/charts/units'
import { cx } from '../../lib/class-names'
import { now } from '../../lib/clock'
import { formatNumber, formatShare } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { dateIn, plusDays } from '../../parts/chart-window'
import { useHref } from '../../parts/use-href'
import { useText } from '../../text/catalogue'

type Overview = Schemas['Overview']
type Name = (typeof FIGURES)[number]['name']
type Figure = Overview['trials'] & { unconverted?: number }

const FIGURES = [
  { name: 'mrr', chart: 'mrr', unit: 'USD', isFlow: false },
  { name: 'activeSubscriptions', chart: 'active-subscriptions', unit: 'count', isFlow: false },
  { name: 'trials', chart: 'active-trials', unit: 'count', isFlow: false },
  { name: 'revenue30d', chart: 'net-revenue', unit: 'USD', isFlow: true },
  { name: 'newSubscribers30d', chart: 'new-subscribers', unit: 'count', isFlow: true },
] as const

/** Five figures, each the way to its chart. */
export function Figures({ overview }: { overview: Overview }) {
  const { environment } = useProject()
  return (
    <section className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line shadow-card lg:grid-cols-5">
      {FIGURES.map((one) =>
        environment === 'SANDBOX' ? (
          <SandboxFigure key={one.name} {...one} />
        ) : (
          <FigureTile key={one.name} {...one} figure={overview[one.name]} />
        ),
      )}
    </section>
  )
}

type About = (typeof FIGURES)[number]

/** The server sends figures of production only; those of the sandbox are read from the same charts. */
function SandboxFigure(about: About) {
  const { path, project } = useProject()
  const today = dateIn(project.timezone, now())
  const chart = useRead('/dashboard/projects/{projectId}/charts/{chartId}', {
    params: {
      path: { ...path, chartId: about.chart },
      query: { environment: 'SANDBOX', grain: 'day', from: plusDays(today, -59), currency: 'USD' },
    },
  })
  const daily = chart.data?.series.map(({ values }) => values.value ?? 0) ?? []
  const figure = chart.data && { ...figureOf(daily, about.isFlow), unconverted: chart.data.unconverted ?? 0 }
  return <FigureTile {...about} figure={figure ?? null} hasFailed={chart.isError && !chart.data} />
}

const DAYS = 30

function figureOf(daily: readonly number[], isFlow: boolean): Figure {
  const shown = daily.slice(-DAYS)
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
  return isFlow
    ? { value: sum(shown), previous: sum(daily.slice(-2 * DAYS, -DAYS)), daily: shown }
    : { value: shown.at(-1) ?? 0, previous: daily.at(-DAYS - 1) ?? 0, daily: shown }
}

type TileProps = About & {
  /** Null until it is known. */
  figure: Figure | null
  hasFailed?: boolean
}

function FigureTile({ name, chart, unit, isFlow, figure, hasFailed = false }: TileProps) {
  const t = useText('overview')
  const reading = useReading()
  const href = useHref()
  const text = figure === null ? (hasFailed ? '—' : '\u00a0') : formatUnit(reading, unit, figure.value)
  return (
    <Link
      href={href(`/charts/${chart}`)}
      className={cx(
        'grid min-w-0 content-start gap-0.5 bg-surface px-4 pt-3 pb-2.5 -outline-offset-2 hover:bg-hover',
        name === 'mrr' && 'max-lg:col-span-2',
      )}
    >
      <span className="text-xs break-words text-ink-2">
        {t[name satisfies Name]}
        {isFlow && <span className="text-ink-3">, {t.thirtyDays}</span>}
      </span>
      <span className="truncate text-2xl font-medium tracking-[-0.022em] tabular-nums" title={text} data-figure={name}>
        {text}
      </span>
      {figure !== null && (figure.unconverted ?? 0) > 0 && (
        <span className="text-xs text-warn">{t.lackRate(formatNumber(reading, figure.unconverted ?? 0), isFlow)}</span>
      )}
      <span className="flex min-h-7 items-end justify-between gap-2">
        {figure && <Change figure={figure} />}
        {hasFailed && <span className="text-xs text-bad">{t.unread}</span>}
        {figure && <Sparkline values={isFlow ? figure.daily.slice(0, -1) : figure.daily} />}
      </span>
    </Link>
  )
}

function Change({ figure: { value, previous } }: { figure: Figure }) {
  const t = useText('overview')
  const reading = useReading()
  const change = changeOf(value, previous)
  if (change === null) return <span className="text-xs text-ink-3">{value === 0 ? t.noChange : t.fromNothing}</span>
  const text = formatShare(reading, change, true)
  const look = change > 0 ? 'text-good' : change < 0 ? 'text-bad' : 'text-ink-2'
  return (
    <span title={t.change(text)} className={cx('text-xs font-medium tabular-nums', look)}>
      {text}
    </span>
  )
}
