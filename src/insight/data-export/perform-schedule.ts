import type { Context } from '../../base/context'
import { describeFailure } from '../../base/jobs/failure'
import { reasonText } from '../../core/reason/reasons'
import { type Notice, type NoticeKind, notify } from '../../operators/notices/notify'
import { SCHEDULE_ACTOR } from '../../projects/audit/audit'
import { beginRun, takeRun } from './begin'
import { CONTINUE_WITHIN_MS } from './model'
import { openScheduleTarget, targetName } from './open-target'
import { ownerName } from './owner'
import {
  findOpenRun,
  findSchedule,
  type RunRow,
  type ScheduleRow,
  updateOwnRun,
  updateRun,
  updateSchedule,
} from './queries'
import { ExportStopped, performRun } from './run'

export const EXPORT_FAILED: NoticeKind = {
  kind: 'export_failed',
  description: 'A scheduled export of data could not be written, and was given up until its next day.',
}

/** Attempts of a run before it is given up. */
export const MAX_ATTEMPTS = 5

/**
 * Writes the export of a schedule: continues with the run that was interrupted, or starts one that follows the last. Throws
 * when it should be tried again; after the last attempt the run is marked as failed and people get a notice. Returns
 * whether it was stopped before its end, because the process ends.
 */
export async function performSchedule(
  ctx: Context,
  { projectId, scheduleId }: { projectId: string; scheduleId: string },
  isStopping: () => boolean,
): Promise<boolean> {
  const schedule = await findSchedule(ctx, projectId, scheduleId)
  if (!schedule?.isEnabled) return false
  if (!(await ctx.state.projects.find(projectId))) return false // The project was deleted.
  const run = (await continueRun(ctx, schedule)) ?? (await beginScheduleRun(ctx, schedule))
  try {
    await work(ctx, schedule, run, isStopping)
  } catch (error) {
    if (error instanceof ExportStopped) return release(ctx, run)
    if (await giveUp(ctx, schedule, run, describeFailure(error))) return false
    throw error
  }
  const isWell = { failures: 0, lastError: null }
  if (schedule.failures > 0) await ctx.write((tx) => updateSchedule(tx, schedule.id, isWell))
  return false
}

async function work(ctx: Context, schedule: ScheduleRow, run: RunRow, isStopping: () => boolean): Promise<void> {
  const target = await openScheduleTarget(ctx, schedule, run)
  try {
    await performRun(ctx, run, { target, isStopping, isGentle: true })
  } finally {
    await target.close()
  }
}

const seriesOf = ({ projectId, target, endpoint, columnSet }: ScheduleRow) => ({
  projectId,
  target: targetName(target, endpoint),
  columnSet,
})

async function continueRun(ctx: Context, schedule: ScheduleRow): Promise<RunRow | null> {
  const open = await findOpenRun(ctx, seriesOf(schedule), schedule.id)
  if (!open) return null
  const now = ctx.clock.now()
  const isYoung = now - open.startedAt < CONTINUE_WITHIN_MS
  const ended = { status: 'FAILED' as const, error: reasonText('EXPORT_OVERDUE'), owner: null, finishedAt: now }
  return ctx.write(async (tx) => {
    if (isYoung) return takeRun(tx, open, ownerName(ctx))
    await updateRun(tx, open.id, ended)
    return null
  })
}

const beginScheduleRun = (ctx: Context, schedule: ScheduleRow): Promise<RunRow> =>
  beginRun(ctx, {
    ...{
      projectId: schedule.projectId,
      scheduleId: schedule.id,
      target: targetName(schedule.target, schedule.endpoint),
    },
    ...{ tables: schedule.content, format: schedule.format, columns: schedule.columnSet },
    ...{ since: 'last', actor: SCHEDULE_ACTOR },
  })

/** False when another process works on the run, or it is not to be continued. */
const release = (ctx: Context, run: RunRow): Promise<boolean> =>
  ctx.write((tx) => updateOwnRun(tx, run, { owner: null }))

/** Counts the failed attempt; true when it was the last one. */
function giveUp(ctx: Context, schedule: ScheduleRow, run: RunRow, error: string): Promise<boolean> {
  const attempts = run.attempts + 1
  const isLast = attempts >= MAX_ATTEMPTS
  return ctx.write(async (tx) => {
    const ended = isLast ? { status: 'FAILED' as const, finishedAt: tx.clock.now() } : {}
    const isOurs = await updateOwnRun(tx, run, { attempts, error, owner: null, ...ended })
    if (!isOurs || !isLast) return !isOurs
    await updateSchedule(tx, schedule.id, { failures: schedule.failures + 1, lastError: error })
    await notify(tx, failureNotice(schedule, error))
    return true
  })
}

const failureNotice = ({ projectId, id, target }: ScheduleRow, error: string): Notice => ({
  kind: EXPORT_FAILED.kind,
  projectId,
  roles: ['OWNER', 'ADMIN'],
  title: 'A scheduled export of data failed',
  body: `The export to ${target} (${id}) failed ${MAX_ATTEMPTS} times, the last time with: ${error}. It is tried again on the next day, and then has everything since the last complete export. Correct the address or the credentials of the schedule.`,
  mail: {},
})
