import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { nextDaily } from '../../base/jobs/daily'
import { describeFailure } from '../../base/jobs/failure'
import { enqueue } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import { HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import { reasonText } from '../../core/reason/reasons'
import { isHeld, ownerName } from '../../insight/data-export/owner'
import { SCHEDULE_ACTOR } from '../../projects/audit/audit'
import { beginRun } from './begin'
import { CompareStopped } from './client'
import { openKey } from './key'
import {
  findRun,
  listDueSchedules,
  moveNextRun,
  type RunRow,
  type ScheduleRow,
  updateOwnRun,
  updateRun,
} from './queries'

const Payload = Type.Object(
  { projectId: Type.String({ maxLength: 64 }), runId: Type.String({ maxLength: 64 }) },
  { additionalProperties: false },
)

interface Payload {
  projectId: string
  runId: string
}

/** A comparison takes hours, so each turn of the job works for a while and queues the next one. */
export const compareJob = defineJob({
  name: 'compare.run',
  payload: Payload,
  backoff: { baseMs: MINUTE, capMs: HOUR },
  handle: (ctx, payload, isStopping) => runInTurn(ctx, payload, isStopping),
})

const TURN_MS = 2 * MINUTE
const WAIT_MS = 15 * SECOND

/** One comparison at a time in each process: the other places of the worker are for work that cannot wait. */
async function runInTurn(ctx: Context, payload: Payload, isStopping: () => boolean): Promise<void> {
  const turn = ctx.state.compareTurn
  if (turn.isTaken) return queueAgain(ctx, payload, ctx.clock.now() + WAIT_MS)
  turn.isTaken = true
  try {
    if (await workOn(ctx, payload, isStopping)) await queueAgain(ctx, payload, ctx.clock.now())
  } finally {
    turn.isTaken = false
  }
}

const queueAgain = (ctx: Context, payload: Payload, runAt: number): Promise<void> =>
  ctx.write(async (tx) => {
    await enqueue(tx, compareJob, { ...payload }, { runAt, dedupeKey: payload.runId })
  })

/** Works on a run for one turn; returns whether there is more to do. */
async function workOn(ctx: Context, { projectId, runId }: Payload, isStopping: () => boolean): Promise<boolean> {
  const run = await findRun(ctx, projectId, runId)
  if (run?.status !== 'RUNNING' || run.sealedKey === null || isHeld(run, ctx.clock.now())) return false
  if (!(await ctx.state.projects.find(projectId))) return false // The project was deleted.
  const key = openKey(ctx, projectId, run.sealedKey)
  if (key === null) return end(ctx, run, reasonText('VENDOR_KEY_SEALED'))
  const taken = { ...run, owner: ownerName(ctx), seenAt: ctx.clock.now() }
  await ctx.write((tx) => updateRun(tx, run.id, { owner: taken.owner, seenAt: taken.seenAt }))
  const turn = turnSignal(isStopping)
  try {
    const { performRun } = await import('./run')
    await performRun(ctx, taken, { key, signal: turn.signal })
    return false
  } catch (error) {
    if (turn.signal.aborted) return release(ctx, taken)
    if (error instanceof CompareStopped) return error.why === 'ENDED' ? false : end(ctx, taken, error.message)
    await release(ctx, taken)
    ctx.log.warn('a comparison was interrupted', { runId, reason: describeFailure(error) })
    throw error
  } finally {
    turn.end()
  }
}

function turnSignal(isStopping: () => boolean): { signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const over = setTimeout(() => controller.abort(), TURN_MS)
  const look = setInterval(() => isStopping() && controller.abort(), 100)
  const end = () => {
    clearTimeout(over)
    clearInterval(look)
  }
  return { signal: controller.signal, end }
}

const release = (ctx: Context, run: RunRow): Promise<boolean> =>
  ctx.write((tx) => updateOwnRun(tx, run, { owner: null }))

/** The run has failed for good; the next one starts again. */
async function end(ctx: Context, run: RunRow, error: string): Promise<false> {
  const failed = { status: 'FAILED', error, owner: null, sealedKey: null, finishedAt: ctx.clock.now() } as const
  await ctx.write((tx) => updateRun(tx, run.id, failed))
  return false
}

const MAX_DUE = 20

/** Starts the comparisons whose time has come. Nights that passed while no server ran count as one. */
export async function beginDueRuns(ctx: Context): Promise<void> {
  for (const schedule of await listDueSchedules(ctx, ctx.clock.now(), MAX_DUE)) await beginDueRun(ctx, schedule)
}

async function beginDueRun(ctx: Context, schedule: ScheduleRow): Promise<void> {
  const next = nextDaily(ctx.clock.now(), schedule.dailyAt)
  if (!(await ctx.write((tx) => moveNextRun(tx, schedule, next)))) return
  const { projectId, vendor, url, isTrusted, sealedKey, sample, rate, skipSandbox } = schedule
  const order = { projectId, vendor, url, isTrusted, sealedKey, sample, rate, skipSandbox }
  try {
    const run = await beginRun(ctx, { ...order, actor: SCHEDULE_ACTOR, isScheduled: true })
    await queueAgain(ctx, { projectId, runId: run.id }, ctx.clock.now())
  } catch (error) {
    // Last night's is still running.
    if (!(error instanceof AppError && error.refusal === 'CONFLICT')) throw error
  }
}
