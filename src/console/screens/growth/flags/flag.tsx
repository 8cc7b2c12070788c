import { useParams } from 'wouter'
import { useRead } from '../../../api/queries'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { FlagEditor } from './editor'

/** How often the screen checks whether the object was changed elsewhere. */
const EVERY_MS = 10_000

export default function Flag() {
  const t = useText('common')
  const { key: given } = useParams<{ key: string }>()
  const key = decodeURIComponent(given)
  const { base, path } = useProject()
  const flag = useRead(
    '/dashboard/projects/{projectId}/feature-flags/by-key/{key}',
    { params: { path: { ...path, key } } },
    { every: EVERY_MS, keep: false },
  )
  if (flag.data) return <FlagEditor key={key} flag={flag.data} />
  return (
    <Page title={key} crumbs={[[t.growth, `${base}/growth`]]}>
      {flag.error ? <Failure error={flag.error} onRetry={() => void flag.refetch()} /> : <Skeleton lines={8} />}
    </Page>
  )
}
