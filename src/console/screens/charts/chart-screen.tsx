import { Download } from 'lucide-react'
import { queryOf } from '../../api/client'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { DownloadButton } from '../../kit/button'
import { Card, Stack } from '../../kit/card'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { StarButton } from '../../parts/star'
import { useHref } from '../../parts/use-href'
import { useLiveAnswers } from '../../parts/use-live-rows'
import { useText } from '../../text/catalogue'
import { About } from './about'
import { AnnotationsSheet } from './annotations'
import { type Asked, useAsked } from './asked'
import { ChartBody } from './chart-body'
import { FilterDialog } from './filter-dialog'
import { openRows } from './links'
import { OfBefore } from './of-before'
import { RowsSheet } from './rows-sheet'
import { definitionOf, titleOf } from './series'
import { KnownAtBanner, Toolbar } from './toolbar'
import { ChartMenu, SaveView } from './views'

type Chart = Schemas['Chart']
type Figures = Schemas['ChartFigures']

const CHART = '/dashboard/projects/{projectId}/charts/{chartId}'
const WAIT_MS = 4000

/** One chart with everything that can be asked of it. */
export function ChartScreen({ chart }: { chart: Chart }) {
  const t = useText('charts')
  const words = useText('chartDefinitions')
  const common = useText('common')
  const href = useHref()
  const { path, api } = useProject()
  const asked = useAsked(chart)
  useLiveAnswers(WAIT_MS, [CHART])
  const figures = useRead(CHART, {
    params: { path: { ...path, chartId: chart.id }, query: asked.query },
  })
  return (
    <Page
      title={titleOf(t, chart)}
      crumbs={[[common.charts, href('/charts')]]}
      purpose={<FirstSentence text={definitionOf(words, chart)} />}
      beside={<StarButton path={`/charts/${chart.id}`} name={titleOf(t, chart)} />}
      actions={
        <>
          <ChartMenu asked={asked} />
          <DownloadButton
            href={`${api}/charts/${chart.id}/export?${queryOf({ format: 'csv', ...asked.query })}`}
            icon={<Download aria-hidden size={14} />}
          >
            {common.exportCsv}
          </DownloadButton>
          <SaveView asked={asked} />
        </>
      }
      filters={<Toolbar asked={asked} figures={figures.data ?? null} />}
    >
      <Stack>
        <KnownAtBanner asked={asked} />
        {figures.error && !figures.data ? (
          <Card>
            <Failure error={figures.error} onRetry={() => void figures.refetch()} />
          </Card>
        ) : figures.data ? (
          <OfBefore isOld={figures.isPlaceholderData}>
            <ChartBody asked={asked} figures={figures.data} />
          </OfBefore>
        ) : (
          <Card>
            <Skeleton lines={9} className="min-h-100" />
          </Card>
        )}
        {(figures.data || figures.error) && <About chart={chart} asked={asked} figures={figures.data ?? null} />}
      </Stack>
      <Sheets asked={asked} figures={figures.data ?? null} />
    </Page>
  )
}

function Sheets({ asked, figures }: { asked: Asked; figures: Figures | null }) {
  const [params] = useParams()
  const rows = openRows(params)
  const open = params.get('do')
  return (
    <>
      {rows && <RowsSheet key={JSON.stringify(rows)} asked={asked} figures={figures} rows={rows} />}
      {open === 'annotations' && <AnnotationsSheet />}
      {open === 'filter' && <FilterDialog asked={asked} />}
    </>
  )
}

const FirstSentence = ({ text }: { text: string }) => <>{/^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text}</>
