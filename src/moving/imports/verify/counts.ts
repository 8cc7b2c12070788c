import type { Context } from '../../../base/context'
import type { UnverifiedReason } from '../model'
import { findJob, type ImportJobRow, updateJob } from '../queries'
import type { AnchorState } from '../tables'
import { countStates } from './queries'

/** The counters of the anchors: together always all anchors of the job. */
export interface AnchorCounters {
  verified: number
  unverifiable: number
  remaining: number
}

type JobName = Pick<ImportJobRow, 'projectId' | 'id'>

/** Counts as anchors end, so that not all have to be counted again for each page. */
export class Counts {
  private constructor(
    private readonly ctx: Context,
    private readonly job: JobName,
    private readonly now: AnchorCounters,
  ) {}

  static async open(ctx: Context, job: JobName): Promise<Counts> {
    return new Counts(ctx, job, await countAnchors(ctx, job.id))
  }

  add(state: Exclude<AnchorState, 'PENDING'>, anchors: number): void {
    if (state === 'VERIFIED') this.now.verified += anchors
    else this.now.unverifiable += anchors
    this.now.remaining -= anchors
  }

  save(): Promise<void> {
    return saveCounters(this.ctx, this.job, this.now)
  }
}

/** What the rows say. An anchor that the store does not know counts as unverifiable. */
export async function countAnchors(ctx: Context, jobId: string): Promise<AnchorCounters> {
  const states = await countStates(ctx, jobId)
  const of = (state: AnchorState) => sumOf(states.filter((one) => one.state === state))
  return {
    verified: of('VERIFIED'),
    unverifiable: of('UNRECOGNISED') + of('UNVERIFIABLE'),
    remaining: of('PENDING'),
  }
}

const sumOf = (counted: readonly { n: number }[]): number => counted.reduce((sum, { n }) => sum + n, 0)

const MAX_REASONS = 5

/** Why anchors are not verified, with how many each reason concerns; the most frequent ones. */
export const reasonsIn = (states: Awaited<ReturnType<typeof countStates>>): UnverifiedReason[] =>
  states
    .filter(({ state }) => state === 'UNRECOGNISED' || state === 'UNVERIFIABLE')
    .map(({ reason, n }) => ({ reason: reason ?? 'the store does not know it', count: n }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
    .slice(0, MAX_REASONS)

async function saveCounters(ctx: Context, { projectId, id }: JobName, counters: AnchorCounters): Promise<void> {
  await ctx.write(async (tx) => {
    await tx.lock(`import:${id}`)
    const job = await findJob(tx, projectId, id)
    if (job) await updateJob(tx, id, { counters: { ...job.counters, ...counters }, updatedAt: tx.clock.now() })
  })
}
