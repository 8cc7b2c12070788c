import { Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import { api } from '../../api/client'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { IconButton } from '../../kit/button'
import { Boundary, Card, Stack } from '../../kit/card'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { TextInput } from '../../kit/field'
import { Page } from '../../kit/page'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { GROUPS, type GroupName } from './groups'
import { titleOf } from './series'
import { viewHref } from './views'

type Chart = Schemas['Chart']

/** All charts by what they are about, and the saved views of the project. */
export default function Gallery() {
  const t = useText('charts')
  const common = useText('common')
  const { path } = useProject()
  const [text, setText] = useParam('q')
  const charts = useRead('/dashboard/projects/{projectId}/charts', { params: { path } })
  return (
    <Page
      title={common.charts}
      purpose={t.purpose}
      filters={
        <TextInput
          type="search"
          aria-label={t.searchCharts}
          placeholder={t.searchCharts}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="max-w-sm"
        />
      }
    >
      <Stack>
        {text === '' && (
          <Boundary>
            <SavedViews />
          </Boundary>
        )}
        {charts.error && !charts.data ? (
          <Failure error={charts.error} onRetry={() => void charts.refetch()} />
        ) : charts.data ? (
          <Groups charts={charts.data.items} text={text} />
        ) : (
          <Skeleton lines={9} />
        )}
      </Stack>
    </Page>
  )
}

function Groups({ charts, text }: { charts: readonly Chart[]; text: string }) {
  const t = useText('charts')
  const found = charts.filter((chart) => isMatch(chart, titleOf(t, chart), text))
  const by = Map.groupBy(found, ({ id }) => groupOf(id))
  if (found.length === 0) return <Empty title={t.nothingFound(text)}>{t.nothingFoundHint}</Empty>
  return (
    <>
      <p role="status" className="sr-only">
        {t.count(found.length)}
      </p>
      {[...NAMES, 'others' as const].map((name) => {
        const own = by.get(name)
        return own ? (
          <Card key={name} flush title={t.groups[name]} aside={t.count(own.length)}>
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-px bg-line sm:grid-cols-[repeat(2,minmax(0,1fr))] xl:grid-cols-[repeat(3,minmax(0,1fr))]">
              {own.map((chart) => (
                <Tile key={chart.id} chart={chart} />
              ))}
              <Filler count={own.length} />
            </ul>
          </Card>
        ) : null
      })}
    </>
  )
}

/** Fills the last line, so that no line of the grid shows as a grey field. */
const Filler = ({ count }: { count: number }) => (
  <>
    {count % 2 === 1 && <li aria-hidden="true" className="hidden bg-surface sm:block xl:hidden" />}
    {Array.from({ length: (3 - (count % 3)) % 3 }, (_, index) => (
      <li key={index} aria-hidden="true" className="hidden bg-surface xl:block" />
    ))}
  </>
)

const NAMES = Object.keys(GROUPS) as GroupName[]

const groupOf = (id: string): GroupName | 'others' =>
  NAMES.find((name) => (GROUPS[name] as readonly string[]).includes(id)) ?? 'others'

const isMatch = (chart: Chart, title: string, text: string): boolean => {
  const all = `${chart.id} ${title} ${chart.title} ${chart.definition} ${chart.formula}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

function Tile({ chart }: { chart: Chart }) {
  const t = useText('charts')
  const { base, environment } = useProject()
  const query = environment === 'SANDBOX' ? '?env=sandbox' : ''
  return (
    <li className="relative grid content-start gap-0.5 bg-surface px-4 py-2.5 hover:bg-hover">
      <Link
        href={`${base}/charts/${chart.id}${query}`}
        className="font-medium after:absolute after:inset-0 hover:text-accent"
      >
        {titleOf(t, chart)}
      </Link>
      <span className="truncate text-xs text-ink-2" title={chart.definition}>
        {chart.definition}
      </span>
    </li>
  )
}

const VIEWS = '/dashboard/projects/{projectId}/charts/views'

function SavedViews() {
  const t = useText('charts')
  const { path } = useProject()
  const views = useRead(VIEWS, { params: { path, query: { limit: 200 } } })
  const items = views.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Card flush title={t.savedViews}>
      <ul className="divide-y divide-line">
        {items.map((view) => (
          <View key={view.id} view={view} />
        ))}
      </ul>
    </Card>
  )
}

function View({ view }: { view: Schemas['ChartView'] }) {
  const t = useText('charts')
  const { path, base } = useProject()
  const put = useAction({
    run: () =>
      api.post(VIEWS, { params: { path }, body: { name: view.name, chartId: view.chartId, params: view.params } }),
    refreshes: [VIEWS],
  })
  const remove = useAction({
    run: () =>
      api.delete('/dashboard/projects/{projectId}/charts/views/{id}', {
        params: { path: { ...path, id: view.id }, header: { 'If-Match': `"${view.revision}"` } },
      }),
    refreshes: [VIEWS],
    onDone: () => toast(t.deleted(view.name), { onUndo: () => put.submit(undefined) }),
    onFailure: (error) => toast(error.message, { isBad: true }),
  })
  return (
    <li className="flex min-h-10 items-center justify-between gap-3 px-4 py-1">
      <Link href={viewHref(base, view)} className="min-w-0 truncate font-medium text-accent hover:underline">
        {view.name}
      </Link>
      <span className="flex items-center gap-2 text-xs text-ink-2">
        <span className="max-md:hidden">{view.chartId}</span>
        <IconButton label={t.deleteView(view.name)} aria-busy={remove.busy} onClick={() => remove.submit(undefined)}>
          <Trash2 aria-hidden size={14} />
        </IconButton>
      </span>
    </li>
  )
}
