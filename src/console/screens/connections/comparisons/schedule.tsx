import { useState } from 'react'
import { api } from '../../../api/client'
import { ApiFailure } from '../../../api/failure'
import { useRead } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card, Facts } from '../../../kit/card'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { State } from '../../../kit/state'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { RemoveSchedule } from '../shared/schedule-parts'
import { PATH } from './model'
import { ScheduleForm } from './schedule-form'

/** The comparison of each night. */
export function Schedule() {
  const t = useText('moving')
  const common = useText('common')
  const { path } = useProject()
  const [doing, setDoing] = useParam('do')
  const [isLeaving, setLeaving] = useState(false)
  const read = useRead(`${PATH}/schedule`, { params: { path } })
  const isMissing = read.error instanceof ApiFailure && read.error.status === 404
  const schedule = isMissing ? null : (read.data ?? null)
  const isKnown = schedule !== null || isMissing
  return (
    <Card title={t.nightly}>
      {read.error && !isMissing && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {schedule ? (
          <Facts
            items={[
              [
                common.status,
                <State key="s" tone={schedule.isEnabled ? 'good' : 'mute'}>
                  {schedule.isEnabled ? t.enabled : t.disabled}
                </State>,
              ],
              [t.dailyAt, `${schedule.dailyAt} UTC`],
              [t.nextRun, schedule.nextRunAt && <Time key="n" at={schedule.nextRunAt} />],
              [
                t.vendorKey,
                <span key="k" className="font-mono text-xs">
                  …{schedule.keyLast4}
                </span>,
              ],
              [t.rate, String(schedule.rate)],
              [t.sample, schedule.sample === null ? common.all : String(schedule.sample)],
            ]}
          />
        ) : (
          isMissing && <p className="text-sm text-ink-2">{t.noSchedule}</p>
        )}
        {!isKnown && !read.error && <Skeleton lines={3} />}
        <div className="flex gap-2">
          {isKnown && (
            <Button data-edit onClick={() => setDoing('schedule', { push: true })}>
              {schedule ? common.edit : t.setUpSchedule}
            </Button>
          )}
          {schedule && <Button onClick={() => setLeaving(true)}>{common.remove}</Button>}
        </div>
      </div>
      {doing === 'schedule' && isKnown && <ScheduleForm saved={schedule} onClose={() => setDoing(null)} />}
      {isLeaving && schedule && (
        <RemoveSchedule
          remove={() =>
            api.delete(`${PATH}/schedule`, { params: { path, header: { 'If-Match': `"${schedule.revision}"` } } })
          }
          path={PATH}
          onClose={() => setLeaving(false)}
        >
          <p>{t.removeScheduleHint}</p>
        </RemoveSchedule>
      )}
    </Card>
  )
}
