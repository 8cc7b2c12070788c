import { useParams as useRouteParams } from 'wouter'
import { api } from '../../../api/client'
import { useAction, useRead } from '../../../api/queries'
import { Button, DownloadButton } from '../../../kit/button'
import { Card, Columns, Facts, Stack } from '../../../kit/card'
import { Id } from '../../../kit/copy'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Because } from '../../../kit/mark'
import { Page } from '../../../kit/page'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { Count, Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useReason } from '../../../parts/store-reason'
import { useText } from '../../../text/catalogue'
import { useEvery } from '../shared/live'
import { RunState } from './comparisons'
import { Findings } from './findings'
import { kindOf, PATH, type Run } from './model'

export default function Comparison() {
  const t = useText('moving')
  const common = useText('common')
  const reasonOf = useReason()
  const { id } = useRouteParams<{ id: string }>()
  const { path, base } = useProject()
  const read = useRead(`${PATH}/runs/{id}`, { params: { path: { ...path, id } } })
  const run = read.data
  useEvery(run?.status === 'RUNNING' ? 2000 : null, () => void read.refetch())
  return (
    <Page
      title={t.comparison}
      crumbs={[[common.comparisons, `${base}/connections/comparisons`]]}
      beside={run && <RunState run={run} />}
      purpose={run && <Time at={run.startedAt} absolute />}
      actions={run && <Actions run={run} />}
    >
      {read.error && !run && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {!run && !read.error && <Skeleton />}
      {run && (
        <Stack>
          {run.error !== null && <Because>{reasonOf(run.error)}</Because>}
          <Columns main={<Findings run={run} />} side={<RunFacts run={run} />} />
        </Stack>
      )}
    </Page>
  )
}

function Actions({ run }: { run: Run }) {
  const failed = useFailureToast()
  const t = useText('moving')
  const common = useText('common')
  const { path, api: url } = useProject()
  const kind = kindOf(useParam('kind')[0])
  const cancel = useAction({
    run: () => api.post(`${PATH}/runs/{id}/cancel`, { params: { path: { ...path, id: run.id } } }),
    refreshes: [PATH],
    onFailure: failed,
  })
  return (
    <>
      {run.status === 'RUNNING' && (
        <Button onClick={() => cancel.submit(undefined)} busy={cancel.busy}>
          {t.endHere}
        </Button>
      )}
      <DownloadButton href={`${url}/compare/runs/${run.id}/findings.csv${kind ? `?kind=${kind}` : ''}`}>
        {common.exportCsv}
      </DownloadButton>
    </>
  )
}

function RunFacts({ run: { id, vendor, counters, rate, sample, skipSandbox, finishedAt } }: { run: Run }) {
  const t = useText('moving')
  const common = useText('common')
  const counts = (
    ['people', 'done', 'equal', 'differing', 'undecided', 'unknownThere', 'withoutId', 'refused'] as const
  )
    .filter((name) => name === 'people' || name === 'done' || counters[name] > 0)
    .map((name) => [t.compareCounters[name], <Count key={name} value={counters[name]} />] as const)
  return (
    <>
      <Card title={t.result}>
        <Facts items={counts} />
      </Card>
      <Card title={t.facts}>
        <Facts
          items={[
            [common.id, <Id key="id" id={id} />],
            [t.vendor, vendor === 'revenuecat' ? 'RevenueCat' : vendor],
            [t.rate, String(rate)],
            [t.sample, sample === null ? common.all : String(sample)],
            [t.importOptions.skipSandbox[0], skipSandbox ? common.yes : common.no],
            [t.finishedAt, finishedAt && <Time key="f" at={finishedAt} />],
          ]}
        />
      </Card>
    </>
  )
}
