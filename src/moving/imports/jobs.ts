import { Type } from '@sinclair/typebox'
import type { Context, Tx } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { isHeld } from '../../insight/data-export/owner'
import { isRunning, RUNNING_STATES } from './machine'
import { findJob, listJobsIn } from './queries'
import { ImportTurns, WAIT_MS } from './turns'

const Payload = Type.Object(
  { projectId: Type.String({ maxLength: 64 }), jobId: Type.String({ maxLength: 64 }) },
  { additionalProperties: false },
)

interface Payload {
  projectId: string
  jobId: string
}

/** Each import has at most one such job. It is tried again when the database was not available. */
export const importJob = defineJob({
  name: 'imports.run',
  payload: Payload,
  backoff: { baseMs: 5 * SECOND, capMs: 5 * MINUTE },
  handle: (ctx, payload, isStopping) => runInTurn(ctx, payload, isStopping),
})

/** Has the server work on an import, in the transaction that makes it wait for work. */
export const enqueueImport = (tx: Tx, { projectId, jobId }: Payload, runAt?: number): Promise<string | null> =>
  enqueue(tx, importJob, { projectId, jobId }, { dedupeKey: jobId, ...(runAt !== undefined && { runAt }) })

/** Imports of two projects at a time in each process. */
async function runInTurn(ctx: Context, payload: Payload, isStopping: () => boolean): Promise<void> {
  const { importTurns: turns } = ctx.state
  const { projectId } = payload
  const later = () => ctx.clock.now() + WAIT_MS
  if (!turns.take(projectId)) return queueAgain(ctx, payload, later())
  try {
    const { performImport } = await import('./work/perform')
    const mustStop = () => isStopping() || turns.mustYield(projectId)
    const performed = await performImport(ctx, payload, { isStopping: mustStop, isGentle: true })
    if (performed === 'HELD') await queueAgain(ctx, payload, later())
    if (performed === 'STOPPED') await queueAgain(ctx, payload, isStopping() ? ctx.clock.now() : later())
  } finally {
    turns.free(projectId)
  }
}

/** Unless it was cancelled meanwhile. */
const queueAgain = (ctx: Context, payload: Payload, runAt: number): Promise<void> =>
  ctx.write(async (tx) => {
    const job = await findJob(tx, payload.projectId, payload.jobId)
    if (job && isRunning(job.status)) await enqueueImport(tx, payload, runAt)
  })

/** Hands imports to the queue that are under way and that no process works on, because it has ended. */
export async function enqueueLostImports(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  for (const { id, projectId, owner, seenAt } of await listJobsIn(ctx, RUNNING_STATES)) {
    if (isHeld({ owner, seenAt }, now)) continue
    await ctx.write((tx) => enqueueImport(tx, { projectId, jobId: id }))
  }
}

export const importTurns = (): ImportTurns => new ImportTurns()
