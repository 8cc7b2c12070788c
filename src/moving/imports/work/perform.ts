import type { Context } from '../../../base/context'
import { isUnavailable } from '../../../base/db/errors'
import { AppError, notFound } from '../../../base/errors'
import { describeFailure } from '../../../base/jobs/failure'
import { monotonicMs } from '../../../base/lib/clock'
import { tellFailed, tellIncomplete } from '../notices'
import { type ImportJobRow, updateOwnJob } from '../queries'
import { commitRows } from './commit-rows'
import { dryRun } from './dry-run'
import { failureOf, isExpected } from './failure'
import { ImportStopped, saveOwn, sayingSo, takeJob } from './own-job'
import type { Turn, WorkParts } from './turn'
import { undoRows } from './undo-rows'

/** `DONE`: nothing is left to do. `HELD`: another process works on it. `STOPPED`: this process must end. */
export type Performed = 'DONE' | 'HELD' | 'STOPPED'

/**
 * Does what a job waits for: its dry run, the rows and after them the verification, or that they are
 * taken back. Goes on where an earlier process
 * was interrupted. Throws when the database is not available, and then the job stays as it is.
 */
export async function performImport(
  ctx: Context,
  { projectId, jobId }: { projectId: string; jobId: string },
  turn: Turn,
): Promise<Performed> {
  for (;;) {
    const job = await takeJob(ctx, projectId, jobId)
    if (job === 'HELD') return 'HELD'
    if (job === null) return 'DONE'
    try {
      await performPhase(ctx, job, turn)
    } catch (error) {
      return await endedBy(ctx, job, error)
    }
  }
}

async function performPhase(ctx: Context, job: ImportJobRow, turn: Turn): Promise<void> {
  const parts = partsOf(ctx, job, turn)
  if (job.status === 'DRY_RUN_RUNNING') await dryRun(ctx, job, parts)
  else if (job.status === 'RUNNING') await commitRows(ctx, job, parts)
  else if (job.status === 'UNDOING') await undoRows(ctx, job, parts)
  else await verify(ctx, job, turn, parts)
}

async function verify(ctx: Context, job: ImportJobRow, turn: Turn, { steps, project }: WorkParts): Promise<void> {
  const found = await project()
  const outcome = await sayingSo(ctx, job, turn.isStopping, (signal) => steps.verifyJob(ctx, found, job, { signal }))
  const finishedAt = outcome === 'COMPLETED' ? ctx.clock.now() : null
  await ctx.write(async (tx) => {
    await saveOwn(tx, job, { status: outcome, owner: null, finishedAt })
    if (outcome !== 'COMPLETED') await tellIncomplete(tx, job)
  })
}

function partsOf(ctx: Context, { projectId }: ImportJobRow, turn: Turn): WorkParts {
  let endedAtMs = monotonicMs()
  return {
    steps: ctx.state.importSteps,
    async project() {
      const project = await ctx.state.projects.find(projectId)
      if (!project) throw notFound('project', projectId)
      return project
    },
    async afterBatch(job) {
      turn.onProgress?.(job)
      if (turn.isStopping()) throw new ImportStopped('the process is stopping')
      const workedMs = monotonicMs() - endedAtMs
      if (turn.isGentle) await ctx.state.longTurns.rest(workedMs, { group: projectId })
      else await new Promise(setImmediate)
      endedAtMs = monotonicMs()
    },
  }
}

async function endedBy(ctx: Context, job: ImportJobRow, error: unknown): Promise<Performed> {
  if (error instanceof ImportStopped) {
    await release(ctx, job)
    return 'STOPPED'
  }
  if (isUnavailable(error) || (error instanceof AppError && error.refusal === 'DATABASE_UNAVAILABLE')) throw error
  const reason = failureOf(error, job)
  if (!isExpected(error))
    ctx.log.error('an import failed', { job: job.id, status: job.status, error: describeFailure(error) })
  await ctx.write(async (tx) => {
    const now = tx.clock.now()
    const failed = { status: 'FAILED' as const, owner: null, error: reason, finishedAt: now, updatedAt: now }
    if (await updateOwnJob(tx, job, failed)) await tellFailed(tx, job, reason)
  })
  return 'DONE'
}

/** False when another process works on the job, or the job has ended. */
const release = (ctx: Context, job: ImportJobRow): Promise<boolean> =>
  ctx.write((tx) => updateOwnJob(tx, job, { owner: null }))
