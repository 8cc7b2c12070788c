import type { Context, Tx } from '../context'
import type { Handle } from '../db/handle'
import { AppError } from '../errors'
import { monotonicMs, SECOND } from '../lib/clock'
import { insertJob, type JobRow, listDeadRows, takeDead } from './queries'
import type { Job, JobPayload } from './registry'
import { settlesWithin } from './within'

export interface EnqueueOptions {
  /** The job does not run before this instant; without it the job runs at once. */
  runAt?: number
  /** At most one job of this name and key waits or runs. */
  dedupeKey?: string
}

/**
 * Writes a job in the caller's transaction. The job runs if and only if the transaction commits, and it runs at least
 * once. With a key: if a job of this key waits, nothing is added and null is returned; if one runs, it runs again
 * afterwards with this payload, because it may have read what this transaction changes. Otherwise returns the new id.
 */
export async function enqueue<Payload extends JobPayload>(
  tx: Tx,
  job: Job<Payload>,
  payload: NoInfer<Payload>,
  { runAt, dedupeKey }: EnqueueOptions = {},
): Promise<string | null> {
  job.check(payload)
  const now = tx.clock.now()
  const { name, maxAttempts } = job
  const row = { name, maxAttempts, payload, dedupeKey: dedupeKey ?? null, runAt: runAt ?? now }
  const id = await insertJob(tx, { ...NEW, ...row, id: tx.ids.next('job'), createdAt: now })
  if (row.runAt <= now) tx.wakeWorker()
  return id
}

const NEW = {
  state: 'WAITING',
  attempts: 0,
  leasedBy: null,
  leasedUntil: null,
  lastError: null,
  isWantedAgain: false,
} as const

const ENQUEUE_TIMEOUT_MS = 2 * SECOND

interface EnqueueNowOptions extends EnqueueOptions {
  /** The name of the queue in the error: `dsar`, `import`, `webhook`, `integration` (wire 9.6). */
  queue: string
}

/** Enqueues in its own write. 503 `QUEUE_UNAVAILABLE` when the row is not committed within 2 s. */
export async function enqueueNow<Payload extends JobPayload>(
  ctx: Context,
  job: Job<Payload>,
  payload: NoInfer<Payload>,
  { queue, ...options }: EnqueueNowOptions,
): Promise<string | null> {
  job.check(payload) // A wrong payload is an error of our code, not of the queue.
  return writeQueued(ctx, queue, (tx) => enqueue(tx, job, payload, options))
}

/**
 * Runs a write that hands work to a queue. 503 `QUEUE_UNAVAILABLE` when the database refuses it, or does not commit it
 * within 2 s. What `work` refuses by itself is thrown unchanged.
 */
export async function writeQueued<Result>(
  ctx: Context,
  queue: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const deadline = monotonicMs() + ENQUEUE_TIMEOUT_MS
  const written = ctx.write((tx) => {
    // The write started only after the caller had been answered that nothing was queued.
    if (monotonicMs() >= deadline) throw new Error('the queue did not take the work in time')
    return work(tx)
  })
  try {
    if (await settlesWithin(written, ENQUEUE_TIMEOUT_MS)) return await written
  } catch (cause) {
    const isRefusal = cause instanceof AppError && cause.refusal !== 'DATABASE_UNAVAILABLE'
    throw isRefusal ? cause : new AppError('QUEUE_UNAVAILABLE', { queue }, { cause })
  }
  throw new AppError('QUEUE_UNAVAILABLE', { queue })
}

/** A job that failed too often, for the dashboard. */
export interface DeadJob {
  id: string
  name: string
  payload: JobPayload
  attempts: number
  lastError: string | null
  createdAt: number
  diedAt: number
}

const MAX_LISTED = 200

/** Dead jobs, the latest death first, at most 200. */
export async function listDead(handle: Handle, limit = MAX_LISTED): Promise<DeadJob[]> {
  return (await listDeadRows(handle, Math.min(limit, MAX_LISTED))).map(toDeadJob)
}

const toDeadJob = ({ id, name, payload, attempts, lastError, createdAt, runAt }: JobRow): DeadJob => ({
  id,
  name,
  payload,
  attempts,
  lastError,
  createdAt,
  diedAt: runAt,
})

/**
 * Gives a dead job all its attempts again under its old id; false when there is no such dead job. If another job has
 * taken its key since, that job does the work and the dead one is deleted.
 */
export async function retryDead(ctx: Context, id: string): Promise<boolean> {
  return ctx.write(async (tx) => {
    const dead = await takeDead(tx, id)
    if (!dead) return false
    await insertJob(tx, { ...dead, ...NEW, runAt: tx.clock.now() })
    tx.wakeWorker()
    return true
  })
}
