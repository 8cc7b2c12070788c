import type { Context } from '../../../base/context'
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

/** What the rows say. An anchor that the store does not know counts as unverifiable: nobody has confirmed it. */
export async function countAnchors(ctx: Context, jobId: string): Promise<AnchorCounters> {
  const states = await countStates(ctx, jobId)
  const of = (state: AnchorState) => states.get(state) ?? 0
  return {
    verified: of('VERIFIED'),
    unverifiable: of('UNRECOGNISED') + of('UNVERIFIABLE'),
    remaining: of('PENDING'),
  }
}

async function saveCounters(ctx: Context, { projectId, id }: JobName, counters: AnchorCounters): Promise<void> {
  await ctx.write(async (tx) => {
    await tx.lock(`import:${id}`)
    const job = await findJob(tx, projectId, id)
    if (job) await updateJob(tx, id, { counters: { ...job.counters, ...counters }, updatedAt: tx.clock.now() })
  })
}
