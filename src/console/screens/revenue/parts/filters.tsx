import { useEvery } from '../../../api/every'
import { Button } from '../../../kit/button'
import { DateInput } from '../../../kit/date-input'
import { FilterSelect } from '../../../kit/filter-select'
import { FilterChip, useFilterMode } from '../../../kit/filters'
import { formatDate } from '../../../lib/format'
import { useProject, useReading } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { dayIn, daysIn } from '../../../parts/chart-window'
import { instantOf } from '../../../parts/instants'
import { useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'

const DAY = 86_400_000

/** What the filters of a screen say, as the API takes it. Days are those of the project, as in every figure. */
export function useFilters(names: readonly string[]) {
  const { environment, project } = useProject()
  const [values] = useParams()
  const held = (name: string) => values.get(name) ?? undefined
  const renewing = daysIn(values, 'renewsFrom', 'renewsTo')
  return {
    environment,
    held,
    isFiltered: names.some((name) => values.has(name)),
    window: windowOf(daysIn(values), project.timezone),
    renewing,
    renewals: renewalsOf(windowOf(renewing, project.timezone)),
  }
}

const windowOf = ({ from, to }: ReturnType<typeof daysIn>, zone: string) => ({
  from: from === undefined ? undefined : (instantOf(`${from}T00:00`, zone) ?? undefined),
  to: to === undefined ? undefined : (instantOf(`${dayAfter(to)}T00:00`, zone) ?? undefined),
})

const renewalsOf = ({ from, to }: ReturnType<typeof windowOf>) => ({ renewsFrom: from, renewsTo: to })

function dayAfter(date: string): string {
  const at = Date.parse(`${date}T00:00Z`)
  return Number.isNaN(at) ? date : new Date(at + DAY).toISOString().slice(0, 10)
}

type Select = { name: string; label: string; options: readonly (readonly [string, string])[] }

/** Filters that only a link sets. */
const NARROWING = ['subscriberId', 'purchaseId', 'renewsFrom', 'renewsTo', 'paid']

/** The row of filters: selects, a start and an end, and a button that clears them. */
export function Filters({ selects, hasDates = false }: { selects: readonly Select[]; hasDates?: boolean }) {
  const t = useText('revenue')
  const [values, set] = useParams()
  const names = [...selects.map(({ name }) => name), 'from', 'to', ...NARROWING]
  return (
    <>
      {selects.map(({ name, label, options }) => (
        <FilterSelect
          key={name}
          label={label}
          value={values.get(name) ?? ''}
          onChange={(event) => set({ [name]: event.target.value })}
          options={[['', t.any], ...options]}
        />
      ))}
      {hasDates && <DateField name="from" label={t.from} />}
      {hasDates && <DateField name="to" label={t.to} />}
      {names.some((name) => values.has(name)) && (
        <Button variant="quiet" onClick={() => set(Object.fromEntries(names.map((name) => [name, null])))}>
          {t.clear}
        </Button>
      )}
    </>
  )
}

function DateField({ name, label }: { name: string; label: string }) {
  const t = useText('revenue')
  const { project } = useProject()
  const [values, set] = useParams()
  const reading = useReading()
  const day = dayIn(values, name)
  if (useFilterMode() === 'chips')
    return day === '' ? null : (
      <FilterChip label={label} value={`${label} ${formatDate(reading, day)}`} onRemove={() => set({ [name]: null })} />
    )
  return (
    <span
      title={t.daysOf(project.timezone)}
      className="inline-flex h-8 items-center gap-1.5 rounded-control border border-line-2 bg-surface px-2.5 text-sm max-md:h-9"
    >
      <span className="text-ink-2">{label}</span>
      <DateInput isBare aria-label={label} value={day} onChange={(next) => set({ [name]: next })} />
    </span>
  )
}

/** Selects that several screens have. */
export function useSelects() {
  const { t } = useWords()
  const { path } = useProject()
  const products = useEvery('/dashboard/projects/{projectId}/products', { params: { path, query: { limit: 200 } } })
  const common = useText('common')
  return {
    status: { name: 'status', label: common.status, options: Object.entries(t.statuses) },
    store: { name: 'store', label: common.store, options: Object.entries(common.storeNames) },
    product: {
      name: 'productId',
      label: common.product,
      options: products.items.map(({ id, displayName, identifier }) => [id, displayName || identifier] as const),
    },
  }
}

/** The query of a file with the same rows as the screen. */
export function csvHref(api: string, path: string, query: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []))
  return `${api}${path}?${new URLSearchParams(pairs).toString()}`
}
