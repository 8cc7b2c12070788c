import { useParams as useRouteParams } from 'wouter'
import { useRead } from '../../../api/queries'
import { Card, Columns, Facts, Stack } from '../../../kit/card'
import { Id } from '../../../kit/copy'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Because } from '../../../kit/mark'
import { Page } from '../../../kit/page'
import { Time } from '../../../kit/values'
import { formatBytes } from '../../../lib/format'
import { useProject, useReading } from '../../../lib/session'
import { useWho } from '../../../parts/assistant/use-who'
import { useReason } from '../../../parts/store-reason'
import { useText } from '../../../text/catalogue'
import { useEvery } from '../shared/live'
import { Counters } from './counters'
import { Forecast } from './forecast'
import { ImportActions } from './import-actions'
import { JobState } from './imports'
import { Mapping } from './mapping'
import { isRunning, type Job, PATH } from './model'
import { Parts } from './parts'
import { Progress } from './progress'
import { RowErrors } from './row-errors'
import { UnknownProducts } from './unknown-products'

const SOON_MS = 1000

export default function Import() {
  const common = useText('common')
  const { id } = useRouteParams<{ id: string }>()
  const { path, base } = useProject()
  const read = useRead(`${PATH}/{id}`, { params: { path: { ...path, id } } })
  const job = read.data
  useEvery(job && isRunning(job.status) ? SOON_MS : null, () => void read.refetch())
  return (
    <Page
      title={job?.fileName ?? common.imports}
      crumbs={[[common.imports, `${base}/connections/imports`]]}
      beside={job && <JobState job={job} />}
      actions={job && <ImportActions job={job} />}
    >
      {read.error && !job && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {!job && !read.error && <Skeleton lines={6} />}
      {job && <Body job={job} />}
    </Page>
  )
}

function Body({ job }: { job: Job }) {
  const reasonOf = useReason()
  return (
    <Stack>
      {job.failure !== null && <Because>{reasonOf(job.failure)}</Because>}
      {isRunning(job.status) && <Progress key={job.status} job={job} />}
      <Columns
        main={
          <>
            {job.status !== 'PENDING_MAPPING' && <Counters job={job} />}
            {job.status === 'DRY_RUN_COMPLETE' && job.forecast && <Forecast told={job.forecast} />}
            {job.unknownProducts.length > 0 && <UnknownProducts job={job} />}
            {job.errors.length > 0 && <RowErrors job={job} />}
            <Mapping key={job.id} job={job} />
          </>
        }
        side={
          <>
            <JobFacts job={job} />
            {job.kind === 'ANDROID_TOKEN_ENRICHMENT' && <Parts job={job} />}
          </>
        }
      />
    </Stack>
  )
}

function JobFacts({ job }: { job: Job }) {
  const t = useText('moving')
  const common = useText('common')
  const reading = useReading()
  const who = useWho()
  return (
    <Card title={t.file}>
      <Facts
        items={[
          [common.id, <Id key="id" id={job.id} />],
          [t.preset, job.preset ?? t.noPreset],
          [common.type, t.importKinds[job.kind]],
          [t.size, formatBytes(reading, job.bytes)],
          [t.startedBy, who(job.startedBy) ?? <Id key="b" id={job.startedBy} />],
          [common.createdAt, <Time key="c" at={job.createdAt} />],
          [t.finishedAt, job.finishedAt && <Time key="f" at={job.finishedAt} />],
          [t.undone, job.undoneAt && <Time key="u" at={job.undoneAt} />],
          [t.filesDeletedAt, job.filesDeletedAt && <Time key="d" at={job.filesDeletedAt} />],
        ]}
      />
    </Card>
  )
}
