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
import { useFailureToast } from '../../kit/use-failure-toast'
import { useProject } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { StarButton } from '../../parts/star'
import { type Texts, useText } from '../../text/catalogue'
import { definitionOf, titleOf } from './series'
import { topOf } from './top'
import { TopTiles } from './top-tiles'
import { usualNames } from './usual-names'
import { viewHref } from './views'

type Chart = Schemas['Chart']

/** All charts by subject, and the saved views of the project. */
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
      search={
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
  const words = useText('chartDefinitions')
  const found = charts.filter((chart) =>
    text === ''
      ? topOf(chart.id) === null
      : isMatch(chart, `${titleOf(t, chart)} ${nameOnTop(t, chart)} ${definitionOf(words, chart)}`, text),
  )
  const groups = Map.groupBy(found, ({ group }) => group)
  if (found.length === 0) return <Empty title={t.nothingFound(text)}>{t.nothingFoundHint}</Empty>
  return (
    <>
      <p role="status" className="sr-only">
        {t.count(text === '' ? charts.length : found.length)}
      </p>
      {text === '' && <TopTiles charts={charts} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-[repeat(2,minmax(0,1fr))] xl:grid-cols-[repeat(3,minmax(0,1fr))]">
        {[...groups].map(([name, own]) => (
          <Group key={name} name={name} charts={own} isOpen={text !== ''} />
        ))}
      </div>
    </>
  )
}

/** So many charts of a group are seen at once. */
const SHOWN = 4

interface GroupProps {
  name: Chart['group']
  charts: readonly Chart[]
  isOpen: boolean
}

function Group({ name, charts, isOpen }: GroupProps) {
  const t = useText('charts')
  const shown = isOpen ? charts : charts.slice(0, SHOWN)
  const rest = charts.slice(shown.length)
  return (
    <Card flush title={t.groups[name]} aside={t.count(charts.length)}>
      <Lines charts={shown} />
      {rest.length > 0 && (
        <details className="border-t border-line">
          <summary className="px-4 py-2 text-sm text-accent">{t.moreCharts(rest.length)}</summary>
          <Lines charts={rest} />
        </details>
      )}
    </Card>
  )
}

const Lines = ({ charts }: { charts: readonly Chart[] }) => (
  <ul className="grid grid-cols-[minmax(0,1fr)] py-1">
    {charts.map((chart) => (
      <Tile key={chart.id} chart={chart} />
    ))}
  </ul>
)

const nameOnTop = (t: Texts['charts'], chart: Chart): string => {
  const top = topOf(chart.id)
  return top ? t.top[top.id].name : ''
}

/** Whether every word is in its titles, its usual names or its definition. */
const isMatch = (chart: Chart, titles: string, text: string): boolean => {
  const own = `${chart.id} ${titles} ${chart.title} ${usualNames(chart.id)} ${chart.definition} ${chart.formula}`
  const all = own.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

function Tile({ chart }: { chart: Chart }) {
  const t = useText('charts')
  const { base, environment } = useProject()
  const query = environment === 'SANDBOX' ? '?env=sandbox' : ''
  const definition = definitionOf(useText('chartDefinitions'), chart)
  return (
    <li className="flex items-start gap-1 py-1.5 pr-2 pl-4 hover:bg-hover">
      <div className="relative grid min-w-0 flex-1 content-start">
        <Link
          href={`${base}/charts/${chart.id}${query}`}
          className="font-medium after:absolute after:inset-0 hover:text-accent"
        >
          {titleOf(t, chart)}
        </Link>
        <span className="truncate text-xs text-ink-2" title={definition}>
          {definition}
        </span>
      </div>
      <StarButton path={`/charts/${chart.id}`} name={titleOf(t, chart)} />
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
  const failed = useFailureToast()
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
    onFailure: failed,
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
