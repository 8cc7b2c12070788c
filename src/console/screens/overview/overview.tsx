import { useRead } from '../../api/queries'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { FirstRunOr } from './first-run'

export default function Overview() {
  const t = useText('common')
  const { path } = useProject()
  const overview = useRead('/dashboard/projects/{projectId}/overview', { params: { path } })
  if (overview.error && !overview.data)
    return <Failure error={overview.error} onRetry={() => void overview.refetch()} />
  if (!overview.data) return null
  return (
    <FirstRunOr key={path.projectId} first={overview.data.first}>
      <Page title={t.overview}>{null}</Page>
    </FirstRunOr>
  )
}
