import type { Context, Tx } from '../../../base/context'
import { monotonicMs, SECOND } from '../../../base/lib/clock'
import { isHeld, ownerName } from '../../../insight/data-export/owner'
import { isRunning } from '../machine'
import { findJob, type ImportJobRow, updateJob, updateOwnJob } from '../queries'

/** The process must end, the job was cancelled, or another process works on it. Written rows stay. */
export class ImportStopped extends Error {}

/**
 * Makes this process the one that works on a job; null when there is nothing to do, `HELD` when another one does it.
 */
export const takeJob = (ctx: Context, projectId: string, id: string): Promise<ImportJobRow | 'HELD' | null> =>
  ctx.write(async (tx) => {
    const job = await findJob(tx, projectId, id)
    if (!job || !isRunning(job.status)) return null
    const owner = ownerName(ctx)
    if (job.owner !== owner && isHeld(job, tx.clock.now())) return 'HELD'
    const change = { owner, seenAt: tx.clock.now() }
    await updateJob(tx, id, change)
    return { ...job, ...change }
  })

/** Writes a change of a job that this process works on. Throws `ImportStopped` when it does so no more. */
export async function saveOwn(tx: Tx, job: ImportJobRow, change: Partial<ImportJobRow>): Promise<ImportJobRow> {
  const now = tx.clock.now()
  const all = { ...change, seenAt: now, updatedAt: now }
  if (!(await updateOwnJob(tx, job, all)))
    throw new ImportStopped('the import was ended, or another process works on it')
  return { ...job, ...all }
}

const SAY_EVERY_MS = 15 * SECOND

/** Says from time to time that a job is being worked on; aborts the work when it is not ours any more. */
export async function sayingSo<Result>(
  ctx: Context,
  job: ImportJobRow,
  isStopping: () => boolean,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  let saidAtMs = monotonicMs()
  const look = async (): Promise<void> => {
    if (isStopping()) return controller.abort()
    if (monotonicMs() - saidAtMs < SAY_EVERY_MS) return
    saidAtMs = monotonicMs()
    await ctx
      .write((tx) => saveOwn(tx, job, {}))
      .catch((error: unknown) => {
        if (error instanceof ImportStopped) controller.abort()
      })
  }
  const timer = setInterval(() => void look(), SECOND)
  try {
    await look()
    const result = await work(controller.signal)
    if (controller.signal.aborted) throw new ImportStopped('the work was stopped')
    return result
  } finally {
    clearInterval(timer)
  }
}
