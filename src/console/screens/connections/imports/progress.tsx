import { useRef } from 'react'
import { Bar } from '../../../kit/bar'
import { Card } from '../../../kit/card'
import { Count } from '../../../kit/values'
import { now } from '../../../lib/clock'
import { useText } from '../../../text/catalogue'
import type { Job } from './model'

/** How far the work is, and how long it continues. */
export function Progress({ job }: { job: Job }) {
  const t = useText('moving')
  const { done, total } = progressOf(job)
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

/** The finished part and the whole, where that is known. */
function progressOf({ status, counters, fileRows }: Job): { done: number; total: number | null } {
  const { rows, verified, unverifiable, remaining } = counters
  if (status === 'VERIFYING') return { done: verified + unverifiable, total: verified + unverifiable + remaining }
  return { done: rows, total: status === 'RUNNING' ? fileRows : null }
}

/** Seconds until the rest is done at the rate so far; null while that is not known. */
function useTimeLeft(done: number, total: number | null): number | null {
  const start = useRef<{ at: number; done: number } | null>(null)
  start.current ??= { at: now(), done }
  const { at, done: before } = start.current
  const elapsed = now() - at
  if (total === null || done <= before || elapsed < 1000) return null
  return Math.ceil(((total - done) / (done - before)) * (elapsed / 1000))
}
