import { Type } from '@sinclair/typebox'
import { ne } from 'drizzle-orm'
import type { Context } from '../../base/context'
import { nextDaily } from '../../base/jobs/daily'
import { enqueue } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import { HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import { oldestOf, type RetentionRule } from '../../base/retention/rule'
import { RUNS_KEPT } from './begin'
import { performSchedule } from './perform-schedule'
import { deleteOldRuns, listDueSchedules, moveNextRun, type ScheduleRow } from './queries'

const Payload = Type.Object(
  { projectId: Type.String({ maxLength: 64 }), scheduleId: Type.String({ maxLength: 64 }) },
  { additionalProperties: false },
)

interface Payload {
  projectId: string
  scheduleId: string
}

/** Each schedule has at most one such job. A run that fails is tried again after a minute, then later and later. */
export const exportJob = defineJob({
  name: 'exports.run',
  payload: Payload,
  backoff: { baseMs: MINUTE, capMs: HOUR },
  handle: (ctx, payload, isStopping) => runInTurn(ctx, payload, isStopping),
})

/** How long an export waits for another one of this process. */
const WAIT_MS = 15 * SECOND

/** One export at a time in each process: the other places of the worker are for work that cannot wait. */
async function runInTurn(ctx: Context, payload: Payload, isStopping: () => boolean): Promise<void> {
  const turn = ctx.state.exportTurn
  if (turn.isTaken) return queueAgain(ctx, payload, ctx.clock.now() + WAIT_MS)
  turn.isTaken = true
  try {
    const isStopped = await performSchedule(ctx, payload, isStopping)
    if (isStopped) await queueAgain(ctx, payload, ctx.clock.now())
  } finally {
    turn.isTaken = false
  }
}

const queueAgain = (ctx: Context, payload: Payload, runAt: number): Promise<void> =>
  ctx.write(async (tx) => {
    await enqueue(tx, exportJob, { ...payload }, { runAt, dedupeKey: payload.scheduleId })
  })

const MAX_DUE = 20

/** Hands the schedules whose time has come to the queue. Days that passed while no server ran count as one. */
export async function enqueueDueExports(ctx: Context): Promise<void> {
  for (const schedule of await listDueSchedules(ctx, ctx.clock.now(), MAX_DUE)) await enqueueExport(ctx, schedule)
}

const enqueueExport = (ctx: Context, schedule: ScheduleRow): Promise<void> =>
  ctx.write(async (tx) => {
    if (!(await moveNextRun(tx, schedule, nextDaily(tx.clock.now(), schedule.dailyAt)))) return
    const payload = { projectId: schedule.projectId, scheduleId: schedule.id }
    await enqueue(tx, exportJob, payload, { dedupeKey: schedule.id })
  })

/** The files of an export are where their target is, and stay there. */
export const runRetention: RetentionRule = {
  name: 'runs of data exports',
  tables: ['exportRuns'],
  keptMs: RUNS_KEPT,
  sweep: (ctx) => ctx.write((tx) => deleteOldRuns(tx, tx.clock.now() - RUNS_KEPT)),
  oldest: (handle) => {
    const { exportRuns: r } = handle.tables
    return oldestOf(handle, r, r.startedAt, RUNS_KEPT, ne(r.status, 'RUNNING'))
  },
}
