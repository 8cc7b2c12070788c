import { useParams } from 'wouter'
import { useRead } from '../../../api/queries'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { AudienceEditor } from './editor'

const EVERY_MS = 10_000

export default function Audience() {
  const t = useText('common')
  const { id } = useParams<{ id: string }>()
  const { base, path } = useProject()
  const audience = useRead(
    '/dashboard/projects/{projectId}/audiences/{id}',
    { params: { path: { ...path, id } } },
    { enabled: id !== 'new', every: EVERY_MS, keep: false },
  )
  if (id === 'new') return <AudienceEditor key="new" audience={null} />
  if (audience.data) return <AudienceEditor key={id} audience={audience.data} />
  return (
    <Page title={t.audiences} crumbs={[[t.audiences, `${base}/growth/audiences`]]}>
      {audience.error ? <Failure error={audience.error} onRetry={() => void audience.refetch()} /> : <Skeleton />}
    </Page>
  )
}
