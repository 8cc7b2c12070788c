import { useParams } from 'wouter'
import { useRead } from '../../../api/queries'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { ExperimentEditor } from './editor'

const EVERY_MS = 10_000

export default function Experiment() {
  const t = useText('common')
  const { id } = useParams<{ id: string }>()
  const { base, path } = useProject()
  const experiment = useRead(
    '/dashboard/projects/{projectId}/experiments/{id}',
    { params: { path: { ...path, id } } },
    { enabled: id !== 'new', every: EVERY_MS, keep: false },
  )
  if (id === 'new') return <ExperimentEditor key="new" experiment={null} />
  if (experiment.data) return <ExperimentEditor key={id} experiment={experiment.data} />
  return (
    <Page title={t.experiments} crumbs={[[t.experiments, `${base}/growth/experiments`]]}>
      {experiment.error ? <Failure error={experiment.error} onRetry={() => void experiment.refetch()} /> : <Skeleton />}
    </Page>
  )
}
