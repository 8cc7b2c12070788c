import { useParams as useRouteParams } from 'wouter'
import { useRead } from '../../api/queries'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { useProject } from '../../lib/session'
import { Missing } from '../../shell/missing'
import { ChartScreen } from './chart-screen'

export default function ChartById() {
  const { path } = useProject()
  const { id } = useRouteParams<{ id: string }>()
  const charts = useRead('/dashboard/projects/{projectId}/charts', { params: { path } })
  if (charts.error && !charts.data)
    return (
      <div className="p-6">
        <h1 className="sr-only">{id}</h1>
        <Failure error={charts.error} onRetry={() => void charts.refetch()} />
      </div>
    )
  if (!charts.data)
    return (
      <div className="p-6">
        <Skeleton lines={8} />
      </div>
    )
  const chart = charts.data.items.find((one) => one.id === id)
  return chart ? <ChartScreen key={chart.id} chart={chart} /> : <Missing />
}
