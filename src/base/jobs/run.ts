import type { Context, Tx } from '../context'
import { SECOND } from '../lib/clock'
import { backoffMs } from './backoff'
import { describeFailure } from './failure'
import {
  bury,
  claimDue,
  deleteFinished,
  hasDue,
  hasLapsed,
  type JobRow,
  lapseLeases,
  postpone,
  reviveLapsed,
  startOver,
} from './queries'
import type { AnyJob, Registry } from './registry'

/** How long a lease lasts without renewal. The clocks of several machines must differ by less than this. */
export const LEASE_MS = 60 * SECOND

/**
 * Ends the leases of the process before this one, for a server that is alone on its database: what a killed server was
 * doing continues when the next one starts, and not a minute later. As always, a lease that ran out counts as an attempt.
 */
export const endLeasesOfBefore = (ctx: Context): Promise<void> => ctx.write((tx) => lapseLeases(tx, tx.clock.now()))

/** Leases up to `limit` due jobs of this registry to this process. */
export async function claim(ctx: Context, { jobs }: Registry, limit: number): Promise<JobRow[]> {
  const names = [...jobs.keys()]
  if (!(await hasDue(ctx, names, ctx.clock.now()))) return []
  return ctx.write((tx) => {
    const now = tx.clock.now()
    const order = { names, limit, leasedBy: ctx.instanceId, leasedUntil: now + LEASE_MS, now }
    return claimDue(tx, ctx.storage.driver, order)
  })
}

/** Runs a claimed job and writes the result, if the lease is still valid. Does not throw. */
export async function runClaimed(
  ctx: Context,
  job: AnyJob,
  row: JobRow,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const failure = await findFailure(ctx, job, row, isStopping)
  try {
    const isHeld = await ctx.write((tx) => (failure === null ? finish(tx, row) : fail(tx, job, row, failure)))
    if (!isHeld) ctx.log.warn('a job outlived its lease', { job: row.name, id: row.id })
  } catch (error) {
    // No caller waits for this result: the lease runs out, and the job runs again.
    ctx.log.error('the end of a job could not be written', { job: row.name, id: row.id, error: describeFailure(error) })
  }
}

async function findFailure(ctx: Context, job: AnyJob, row: JobRow, isStopping: () => boolean): Promise<string | null> {
  try {
    await job.run(ctx, row.payload, isStopping)
    return null
  } catch (error) {
    return describeFailure(error)
  }
}

const finish = async (tx: Tx, row: JobRow): Promise<boolean> =>
  (await deleteFinished(tx, row)) || runAgain(tx, row, null)

async function fail(tx: Tx, job: AnyJob, row: JobRow, failure: string): Promise<boolean> {
  const attempt = row.attempts + 1
  const now = tx.clock.now()
  const details = { job: row.name, id: row.id, attempt, error: failure }
  if (attempt < row.maxAttempts) {
    tx.afterCommit(() => tx.log.warn('a job failed', details))
    return postpone(tx, row, now + backoffMs(job.backoff, row.id, attempt), failure)
  }
  tx.afterCommit(() => tx.log.error('a job failed for the last time', details))
  return (await bury(tx, row, now, failure)) || runAgain(tx, row, failure)
}

async function runAgain(tx: Tx, row: JobRow, lastError: string | null): Promise<boolean> {
  const isHeld = await startOver(tx, row, lastError)
  if (isHeld) tx.wakeWorker()
  return isHeld
}

/** Makes jobs wait again whose lease ran out, and writes each of them to the log. */
export async function revive(ctx: Context): Promise<void> {
  if (!(await hasLapsed(ctx, ctx.clock.now()))) return
  const revived = await ctx.write((tx) => reviveLapsed(tx, tx.clock.now()))
  for (const { id, name, state } of revived) ctx.log.warn('the lease of a job ran out', { job: name, id, state })
}
