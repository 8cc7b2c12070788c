import { useParams } from 'wouter'
import { useRead } from '../../../api/queries'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { OfferingEditor } from './editor'

const EVERY_MS = 10_000

export default function Offering() {
  const t = useText('common')
  const { id } = useParams<{ id: string }>()
  const { base, path } = useProject()
  const offering = useRead(
    '/dashboard/projects/{projectId}/offerings/{id}',
    { params: { path: { ...path, id } } },
    { enabled: id !== 'new', every: EVERY_MS, keep: false },
  )
  if (id === 'new') return <OfferingEditor key="new" offering={null} />
  if (offering.data) return <OfferingEditor key={id} offering={offering.data} />
  return (
    <Page title={t.offerings} crumbs={[[t.offerings, `${base}/catalogue/offerings`]]}>
      {offering.error ? <Failure error={offering.error} onRetry={() => void offering.refetch()} /> : <Skeleton />}
    </Page>
  )
}
