import { useState } from 'react'
import type { Schemas } from '../../api/client'
import { useRead } from '../../api/queries'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { FirstRun } from './first-run'

export default function Overview() {
  const { path } = useProject()
  const overview = useRead('/dashboard/projects/{projectId}/overview', { params: { path } })
  if (overview.data) return <Known key={path.projectId} overview={overview.data} />
  return overview.error ? <Failure error={overview.error} onRetry={() => void overview.refetch()} /> : null
}

/** The first run, until the person has seen the first purchase; then the overview. */
function Known({ overview }: { overview: Schemas['Overview'] }) {
  const t = useText('common')
  const [isFirst, setFirst] = useState(overview.first.purchase === null)
  return isFirst ? <FirstRun onDone={() => setFirst(false)} /> : <Page title={t.overview}>{null}</Page>
}
