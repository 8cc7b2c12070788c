import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction, useRead } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { CopyText } from '../../../kit/copy'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Switch } from '../../../kit/field'
import { Because } from '../../../kit/mark'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useReason } from '../../../parts/store-reason'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { RemoveSchedule } from '../shared/schedule-parts'
import { PATH } from './schedule-draft'
import { ScheduleForm } from './schedule-form'

type Schedule = Schemas['ExportSchedule']

/** The daily exports and their targets. */
export function Schedules() {
  const t = useText('moving')
  const { path } = useProject()
  const [values, set] = useParams()
  const reason = useRights().needs('subscribers:gdpr')
  const read = useRead(PATH, { params: { path } }, { every: 15_000 })
  const items = read.data?.items ?? []
  const edited = items.find(({ id }) => id === values.get('schedule'))
  return (
    <Card title={t.exportSchedules} flush>
      {read.error && !read.data && (
        <div className="px-4">
          <Failure error={read.error} onRetry={() => void read.refetch()} />
        </div>
      )}
      {!read.data && !read.error && <Skeleton lines={5} className="px-4" />}
      {read.data && items.length === 0 && <Empty title={t.noExportSchedules}>{t.noExportSchedulesWhy}</Empty>}
      <ul className="divide-y divide-line">
        {items.map((one) => (
          <Line key={one.id} schedule={one} reason={reason} onEdit={() => set({ schedule: one.id }, { push: true })} />
        ))}
      </ul>
      {edited && <ScheduleForm saved={edited} onClose={() => set({ schedule: null })} reason={reason} />}
    </Card>
  )
}

interface LineProps {
  schedule: Schedule
  reason: string | null
  onEdit: () => void
}

function Line({ schedule, reason, onEdit }: LineProps) {
  const failed = useFailureToast()
  const t = useText('moving')
  const common = useText('common')
  const { path } = useProject()
  const reasonOf = useReason()
  const [isLeaving, setLeaving] = useState(false)
  const { id, to, format, tables, dailyAt, isEnabled, nextRunAt, lastRun, lastError } = schedule
  const toggle = useAction({
    run: (isOn: boolean) => api.patch(`${PATH}/{id}`, { params: { path: { ...path, id } }, body: { isEnabled: isOn } }),
    refreshes: [PATH],
    onFailure: failed,
  })
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <CopyText text={to} />
        <span className="flex items-center gap-2">
          <Switch
            checked={isEnabled}
            onChange={toggle.submit}
            label={isEnabled ? t.enabled : t.disabled}
            disabled={reason !== null}
          />
          <Button data-edit onClick={onEdit} reason={reason}>
            {common.edit}
            <span className="sr-only"> {to}</span>
          </Button>
          <Button onClick={() => setLeaving(true)} reason={reason}>
            {common.delete}
            <span className="sr-only"> {to}</span>
          </Button>
        </span>
      </div>
      <p className="text-xs text-ink-2">
        {format}, {tables.join(', ')}. {t.dailyAt} {dailyAt} UTC.{' '}
        {nextRunAt !== null && (
          <>
            {t.nextRun}: <Time at={nextRunAt} />.{' '}
          </>
        )}
        {lastRun?.finishedAt && (
          <>
            {t.lastRun}: <Time at={lastRun.finishedAt} />.
          </>
        )}
      </p>
      {lastError !== null && <Because>{reasonOf(lastError)}</Because>}
      {isLeaving && (
        <RemoveSchedule
          remove={() =>
            api.delete(`${PATH}/{id}`, {
              params: { path: { ...path, id }, header: { 'If-Match': `"${schedule.revision}"` } },
            })
          }
          path={PATH}
          onClose={() => setLeaving(false)}
        >
          <p>{t.removeExportHint}</p>
          <p className="font-mono text-xs break-all">{to}</p>
        </RemoveSchedule>
      )}
    </li>
  )
}
