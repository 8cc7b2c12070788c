import { History, Plus, X } from 'lucide-react'
import type { Schemas } from '../../api/schemas'
import { Button, IconButton } from '../../kit/button'
import { DateInput } from '../../kit/date-input'
import { FilterSelect } from '../../kit/filter-select'
import { useFilterMode } from '../../kit/filters'
import { Menu } from '../../kit/menu'
import { Segmented } from '../../kit/tabs'
import { formatDate } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { dateIn, dayIn, plusDays } from '../../parts/chart-window'
import { useText } from '../../text/catalogue'
import { type Asked, COMPARISONS, FILTERS, GROUPS, type GroupBy, usualRange } from './asked'
import { groupName } from './series'
import { hasOwnGroups } from './shape'

interface ToolbarProps {
  asked: Asked
  figures: Schemas['ChartFigures'] | null
}

/** From general to special: range, grain, filters, group, currency, time travel. */
export const Toolbar = ({ asked, figures }: ToolbarProps) => (
  <>
    <RangeChoice asked={asked} />
    <GrainChoice asked={asked} />
    <ComparisonChoice asked={asked} />
    <Filters asked={asked} />
    <GroupChoice asked={asked} figures={figures} />
    <CurrencyChoice asked={asked} figures={figures} />
    <KnownAtChoice asked={asked} />
  </>
)

function RangeChoice({ asked: { chart, range, ranges, window } }: { asked: Asked }) {
  const t = useText('charts')
  const [, set] = useParams()
  const isChips = useFilterMode() === 'chips'
  const choose = (next: string) =>
    set({
      range: next === usualRange(chart) ? null : next,
      grain: null,
      from: next === 'custom' ? window.from : null,
      to: next === 'custom' && window.to ? plusDays(window.to, -1) : null,
    })
  return (
    <>
      <FilterSelect
        label={t.range}
        value={range}
        usual={usualRange(chart)}
        onChange={(event) => choose(event.target.value)}
        options={ranges.map((one) => [one, t.ranges[one]])}
      />
      {range === 'custom' && !isChips && <TwoDates />}
    </>
  )
}

const DATE = 'inline-flex h-8 rounded-control border border-line-2 bg-surface px-2 text-sm max-md:h-9'

function TwoDates() {
  const t = useText('charts')
  const [params, set] = useParams()
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      {(['from', 'to'] as const).map((name) => (
        <span key={name} className={DATE}>
          <DateInput
            isBare
            aria-label={name === 'from' ? t.firstDay : t.lastDay}
            value={dayIn(params, name)}
            onChange={(day) => set({ [name]: day, grain: null })}
          />
        </span>
      ))}
    </span>
  )
}

function GrainChoice({ asked: { grain, grains } }: { asked: Asked }) {
  const t = useText('charts')
  const [, set] = useParams()
  return (
    <Segmented
      label={t.grain}
      value={grain}
      onChange={(next) => set({ grain: next })}
      options={grains.map((one) => [one, t.grains[one]])}
    />
  )
}

function ComparisonChoice({ asked: { comparison } }: { asked: Asked }) {
  const t = useText('charts')
  const [, set] = useParams()
  if (comparison === null) return null
  return (
    <FilterSelect
      label={t.compareWith}
      value={comparison}
      onChange={(event) => set({ compare: event.target.value === 'before' ? null : event.target.value })}
      options={COMPARISONS.map((one) => [one, t.comparisons[one]] as const)}
    />
  )
}

function Filters({ asked: { chart, filters } }: { asked: Asked }) {
  const t = useText('charts')
  const [, set] = useParams()
  const open = (name: string) => set({ do: 'filter', name }, { push: true })
  const isChips = useFilterMode() === 'chips'
  const offered = FILTERS.filter((name) => chart.filters.includes(name) && filters[name] === undefined)
  const used = FILTERS.filter((name) => filters[name] !== undefined)
  return (
    <>
      {used.map((name) => (
        <span
          key={name}
          className="inline-flex h-8 items-center rounded-control border border-line-2 bg-surface pl-2.5 text-sm max-md:h-9"
        >
          <button type="button" onClick={() => open(name)} className="inline-flex max-w-64 gap-1.5 truncate">
            <span className="text-ink-2">{t.filters[name]}</span>
            <span className="truncate font-medium">{shownValues(t, filters[name] ?? '')}</span>
          </button>
          <IconButton label={t.removeFilter(t.filters[name])} onClick={() => set({ [name]: null })}>
            <X aria-hidden size={14} />
          </IconButton>
        </span>
      ))}
      {offered.length > 0 && !isChips && (
        <Menu
          align="left"
          className="inline-flex h-8 items-center gap-1.5 rounded-control px-2.5 text-sm font-medium text-ink-2 hover:bg-hover hover:text-ink max-md:h-9"
          label={
            <>
              <Plus aria-hidden size={14} />
              {t.filter}
            </>
          }
          items={offered.map((name) => ({ label: t.filters[name], onSelect: () => open(name) }))}
        />
      )}
    </>
  )
}

const shownValues = (t: { stores: Record<string, string>; noGroup: string }, text: string): string =>
  text
    .split(',')
    .map((value) => (value === '' ? t.noGroup : (t.stores[value] ?? value)))
    .join(', ')

function GroupChoice({ asked, figures }: ToolbarProps) {
  const t = useText('charts')
  const [, set] = useParams()
  if (hasOwnGroups(asked.chart)) return <OneGroup asked={asked} figures={figures} />
  const groups = GROUPS.filter((name) => asked.chart.filters.includes(name))
  if (groups.length === 0) return null
  return (
    <FilterSelect
      label={t.groupBy}
      value={asked.by ?? ''}
      onChange={(event) => set({ by: event.target.value as GroupBy | '', hidden: null, group: null })}
      options={[['', t.nothing], ...groups.map((name) => [name, t.filters[name].toLowerCase()] as const)]}
    />
  )
}

/** Of a chart with groups of its own, one at a time is shown. */
function OneGroup({ asked, figures }: ToolbarProps) {
  const t = useText('charts')
  const common = useText('common')
  const [, set] = useParams()
  const keys = (figures?.groups ?? []).map(({ key }) => key ?? '')
  if (keys.length === 0) return null
  return (
    <FilterSelect
      label={t.group}
      value={asked.group === null ? '' : `=${asked.group}`}
      onChange={(event) => set({ group: event.target.value })}
      options={[['', common.all], ...keys.map((key) => [`=${key}`, groupName(t, key || null)] as const)]}
    />
  )
}

const CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'TRY',
  'JPY',
  'CHF',
  'CAD',
  'AUD',
  'BRL',
  'INR',
  'CNY',
  'KRW',
  'MXN',
  'PLN',
  'SEK',
]

function CurrencyChoice({ asked, figures }: ToolbarProps) {
  const t = useText('charts')
  const { project } = useProject()
  const [, set] = useParams()
  if (asked.chart.unit !== 'USD') return null
  const own = project.settings.reportCurrency
  const chosen = asked.currency ?? ''
  const codes = CURRENCIES.includes(chosen) || chosen === '' ? CURRENCIES : [chosen, ...CURRENCIES]
  return (
    <FilterSelect
      label={t.currency}
      value={chosen}
      onChange={(event) => set({ currency: event.target.value })}
      options={[
        ['', t.projectCurrency(own || figures?.currency || 'USD')],
        ...codes.map((code) => [code, code] as const),
      ]}
    />
  )
}

function KnownAtChoice({ asked: { chart, knownAt, openedAt } }: { asked: Asked }) {
  const t = useText('charts')
  const { project } = useProject()
  const [, set] = useParams()
  const isChips = useFilterMode() === 'chips'
  if (!chart.filters.includes('knownAt') || isChips) return null
  return (
    <span className="inline-flex h-8 items-center gap-1.5 rounded-control border border-line-2 bg-surface pl-2.5 text-sm max-md:h-9">
      <History aria-hidden size={14} className="text-ink-3" />
      <span className="text-ink-2">{t.knownAt}</span>
      <DateInput
        isBare
        aria-label={t.knownAt}
        value={knownAt?.slice(0, 10) ?? ''}
        max={dateIn(project.timezone, openedAt)}
        onChange={(day) => set({ known: day })}
      />
    </span>
  )
}

/** Says that the chart shows the past, and leads back. */
export function KnownAtBanner({ asked: { knownAt } }: { asked: Asked }) {
  const t = useText('charts')
  const reading = useReading()
  const [, set] = useParams()
  if (knownAt === null) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line-2 bg-accent-soft px-4 py-2 text-sm"
    >
      {t.knownAtBanner(formatDate(reading, knownAt))}
      <Button onClick={() => set({ known: null })}>{t.backToNow}</Button>
    </div>
  )
}
