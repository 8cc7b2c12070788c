import { useRead } from '../../api/queries'
import { formatNumber } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** How much of the month is used, and what the model sees. */
export function Footnote() {
  const t = useText('assistant')
  const reading = useReading()
  const { path, project } = useProject()
  const usage = useRead('/dashboard/projects/{projectId}/assistant/usage', { params: { path } })
  const { used, limit } = usage.data?.messages ?? { used: 0, limit: null }
  const isFull = project.settings.assistantPersonalData === 'full'
  return (
    <p className="flex flex-wrap justify-between gap-x-4 text-xs text-ink-2">
      <span>{isFull ? t.seesAll : t.seesMarks}</span>
      {usage.data && (
        <span className="tabular-nums">
          {limit === null
            ? t.usedOf(formatNumber(reading, used), null)
            : t.usedOf(formatNumber(reading, used), formatNumber(reading, limit))}
        </span>
      )}
    </p>
  )
}
