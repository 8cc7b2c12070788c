import { useRead } from '../../../api/queries'
import { Card, Facts } from '../../../kit/card'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Count, Money } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'

/** What came of a placement in production. */
export function PlacementMetrics({ id }: { id: string }) {
  const t = useText('growth')
  const { path } = useProject()
  const metrics = useRead('/dashboard/projects/{projectId}/placements/{id}/metrics', {
    params: { path: { ...path, id } },
  })
  const { data } = metrics
  return (
    <Card title={t.metrics} footer={t.metricsHint}>
      {metrics.error && !data ? (
        <Failure error={metrics.error} onRetry={() => void metrics.refetch()} />
      ) : data ? (
        <Facts
          items={[
            [t.resolutions, <Count key="r" value={data.resolutions} />],
            [t.exposures, <Count key="e" value={data.exposures} />],
            [t.purchases, <Count key="p" value={data.purchases} />],
            [t.revenue, <Money key="m" micros={data.revenue.amountMicros} currency={data.revenue.currency} />],
          ]}
        />
      ) : (
        <Skeleton />
      )}
    </Card>
  )
}
