import { useParams } from 'wouter'
import { useRead } from '../../../api/queries'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { FunnelBuilder } from './builder'

/** One funnel: its flow, its pages, and what came of it. */
export default function Funnel() {
  const t = useText('common')
  const { id } = useParams<{ id: string }>()
  const { base, path } = useProject()
  const funnel = useRead(
    '/dashboard/projects/{projectId}/funnels/{id}',
    { params: { path: { ...path, id } } },
    { keep: false },
  )
  if (funnel.data) return <FunnelBuilder key={id} funnel={funnel.data} />
  return (
    <Page title={t.funnels} crumbs={[[t.funnels, `${base}/growth/funnels`]]}>
      {funnel.error ? <Failure error={funnel.error} onRetry={() => void funnel.refetch()} /> : <Skeleton />}
    </Page>
  )
}
