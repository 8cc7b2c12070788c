import { useEffect, useRef } from 'react'
import { Card } from '../../../kit/card'
import { Count } from '../../../kit/values'
import { now } from '../../../lib/clock'
import { useText } from '../../../text/catalogue'
import { Bar } from './drop-zone'
import type { Job } from './model'

/** How far the work is, and how long it goes on. */
export function Progress({ job }: { job: Job }) {
  const t = useText('moving')
  const { done, total } = useProgress(job)
  const seconds = useTimeLeft(done, total)
  return (
    <Card title={t.importStates[job.status]}>
      <div className="grid gap-2">
        <Bar
          share={total === null || total === 0 ? null : Math.min(1, done / total)}
          label={t.importStates[job.status]}
        />
        <p className="flex flex-wrap justify-between gap-x-4 text-sm text-ink-2">
          <span>
            <Count value={done} />{' '}
            {total !== null && (
              <>
                / <Count value={total} />
              </>
            )}{' '}
            {t.rowsDone(total ?? done)}
          </span>
          {seconds !== null && (
            <span>{seconds < 120 ? t.secondsLeft(seconds) : t.minutesLeft(Math.round(seconds / 60))}</span>
          )}
        </p>
      </div>
    </Card>
  )
}

/** The counters begin anew with each kind of work, so the number of rows is remembered from the dry run. */
function useProgress({ id, status, counters }: Job): { done: number; total: number | null } {
  const key = `svc.import.${id}.rows`
  useEffect(() => {
    if (status === 'DRY_RUN_RUNNING') sessionStorage.setItem(key, String(counters.rows))
  }, [key, status, counters.rows])
  if (status === 'VERIFYING') {
    const asked = counters.verified + counters.unverifiable
    return { done: asked, total: asked + counters.remaining }
  }
  const known = Number(sessionStorage.getItem(key) ?? 0)
  return { done: counters.rows, total: status === 'RUNNING' && known >= counters.rows && known > 0 ? known : null }
}

/** Seconds until the rest is done at the rate of what was seen so far; null while that is not known. */
function useTimeLeft(done: number, total: number | null): number | null {
  const start = useRef<{ at: number; done: number } | null>(null)
  start.current ??= { at: now(), done }
  const { at, done: before } = start.current
  const elapsed = now() - at
  if (total === null || done <= before || elapsed < 1000) return null
  return Math.ceil(((total - done) / (done - before)) * (elapsed / 1000))
}
