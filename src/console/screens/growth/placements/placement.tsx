import { useParams } from 'wouter'
import { useRead } from '../../../api/queries'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { PlacementEditor } from './editor'

const EVERY_MS = 10_000

export default function Placement() {
  const t = useText('common')
  const { id } = useParams<{ id: string }>()
  const { base, path } = useProject()
  const placement = useRead(
    '/dashboard/projects/{projectId}/placements/{id}',
    { params: { path: { ...path, id } } },
    { enabled: id !== 'new', every: EVERY_MS, keep: false },
  )
  if (id === 'new') return <PlacementEditor key="new" placement={null} />
  if (placement.data) return <PlacementEditor key={id} placement={placement.data} />
  return (
    <Page title={t.placements} crumbs={[[t.placements, `${base}/growth/placements`]]}>
      {placement.error ? <Failure error={placement.error} onRetry={() => void placement.refetch()} /> : <Skeleton />}
    </Page>
  )
}
