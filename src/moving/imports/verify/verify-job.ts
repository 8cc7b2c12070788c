import type { Context } from '../../../base/context'
import type { ProjectState } from '../../../projects/project/state'
import type { VerificationFindings } from '../model'
import { findJob, type ImportJobRow, updateJob } from '../queries'
import { type AnchorCounters, Counts, countAnchors, reasonsIn } from './counts'
import { Lane, type LaneEnd } from './lane'
import { type AskedStore, Meter } from './meter'
import type { Run, Turn } from './model'
import { countConflicts, countStates, listNoted } from './queries'
import { sentenceOf } from './sentence'

const STORES: readonly AskedStore[] = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT']
const MAX_NOTES = 100

/**
 * Asks the stores about the pending anchors of a job that is VERIFYING, and records what they say. Ends when none is
 * left, when the budget is used up, or soon after the signal; what is left stays pending, and the next run goes on
 * there. Two runs at once, and a run after a crash, change nothing twice. Writes the counters and, for an incomplete
 * end, its reason in `error`; the caller changes the status. Throws only when the database does not answer.
 */
export async function verifyJob(
  ctx: Context,
  project: ProjectState,
  job: ImportJobRow,
  turn: Turn,
): Promise<'COMPLETED' | 'VERIFICATION_INCOMPLETE'> {
  const own = new AbortController()
  const signal = AbortSignal.any([turn.signal, own.signal])
  const meter = new Meter({ ctx, signal, wait: turn.wait, maxCalls: turn.maxCalls })
  const counts = await Counts.open(ctx, job)
  const run: Run = { ctx, job, project, meter }
  const lanes = STORES.map(async (store) => {
    try {
      return await new Lane({ ...run }, store, counts).go()
    } catch (error) {
      own.abort()
      throw error
    }
  })
  const ended = await Promise.allSettled(lanes)
  const ends = ended.map((lane) => {
    if (lane.status === 'rejected') throw lane.reason
    return lane.value
  })
  return finish(
    run,
    ends.filter((end) => end !== null),
  )
}

async function finish(run: Run, ends: LaneEnd[]): Promise<'COMPLETED' | 'VERIFICATION_INCOMPLETE'> {
  const { ctx, job, meter } = run
  const counters = await countAnchors(ctx, job.id)
  const isComplete = counters.remaining === 0
  const error = isComplete ? null : sentenceOf(ends, counters.remaining)
  const verification = await findingsOf(ctx, job.id)
  await save(ctx, job, counters, { error, verification })
  const { conflicts, unrecognised } = verification
  const facts = { job: job.id, projectId: job.projectId, calls: meter.calls, ...counters, conflicts, unrecognised }
  if (isComplete) ctx.log.info('the stores were asked about an import', facts)
  else ctx.log.warn('the stores were not asked about the whole of an import', { ...facts, reason: error })
  return isComplete ? 'COMPLETED' : 'VERIFICATION_INCOMPLETE'
}

async function findingsOf(ctx: Context, jobId: string): Promise<VerificationFindings> {
  const noted = await listNoted(ctx, jobId, MAX_NOTES)
  const states = await countStates(ctx, jobId)
  const unrecognised = states.filter(({ state }) => state === 'UNRECOGNISED')
  return {
    conflicts: await countConflicts(ctx, jobId),
    unrecognised: unrecognised.reduce((sum, { n }) => sum + n, 0),
    reasons: reasonsIn(states),
    notes: noted.map(({ subscriberId, store, error }) => ({ subscriberId, store, message: error ?? '' })),
  }
}

/** A job that was cancelled meanwhile keeps its own error. */
async function save(
  ctx: Context,
  { projectId, id }: ImportJobRow,
  counters: AnchorCounters,
  { error, verification }: { error: string | null; verification: VerificationFindings },
): Promise<void> {
  await ctx.write(async (tx) => {
    await tx.lock(`import:${id}`)
    const job = await findJob(tx, projectId, id)
    if (!job) return
    await updateJob(tx, id, {
      counters: { ...job.counters, ...counters },
      findings: { ...job.findings, verification },
      updatedAt: tx.clock.now(),
      ...(job.status === 'VERIFYING' && { error }),
    })
  })
}
