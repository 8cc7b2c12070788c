import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { cellNames } from '../../kit/charts/cells'
import { Heat } from '../../kit/charts/heat'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { formatNumber, formatShare } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** How the people of a cohort stayed, by the month in which they became members. */
export function Analysis({ cohort }: { cohort: Schemas['Cohort'] }) {
  const t = useText('charts')
  const { path } = useProject()
  const analysis = useRead('/dashboard/projects/{projectId}/cohorts/{id}/analysis', {
    params: { path: { ...path, id: cohort.id } },
  })
  return (
    <Card flush title={t.analysis} footer={t.analysisHint}>
      {analysis.error && !analysis.data ? (
        <div className="px-4">
          <Failure error={analysis.error} onRetry={() => void analysis.refetch()} />
        </div>
      ) : analysis.data ? (
        <Months rows={analysis.data.rows} />
      ) : (
        <Skeleton className="px-4" />
      )}
    </Card>
  )
}

function Months({ rows }: { rows: Schemas['CohortAnalysis']['rows'] }) {
  const t = useText('charts')
  const reading = useReading()
  const { project } = useProject()
  const months = Math.max(0, ...rows.map(({ shares }) => shares.length))
  if (rows.length === 0 || months === 0) return <Empty title={t.noAnalysis}>{t.noAnalysisHint}</Empty>
  const names = cellNames(
    rows.map(({ start }) => start),
    'month',
    reading.locale,
    project.timezone,
  )
  return (
    <div className="p-3">
      <Heat
        label={t.analysis}
        corner={t.grains.month}
        sizeTitle={t.size}
        columns={Array.from({ length: months }, (_, index) => t.month(index))}
        rows={rows.map((row, index) => ({
          key: row.start,
          title: names[index]?.title ?? '',
          size: formatNumber(reading, row.size),
          values: row.shares,
        }))}
        most={1}
        format={(value) => formatShare(reading, value)}
      />
    </div>
  )
}
