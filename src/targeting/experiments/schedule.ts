import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { SCHEDULE_ACTOR } from '../../projects/audit/audit'
import { type Edit, editProject, type ProjectActor } from '../../projects/project/edit'
import { saveExperiment } from './admin'
import { start, stop } from './admin-actions'
import { type ExperimentTableRow, findExperiment, listDueExperiments } from './stored-experiments'

interface Due {
  id: string
  projectId: string
}

/**
 * Starts and stops the experiments whose scheduled time has come. Several processes may do it at once: each checks
 * again inside its transaction. A refused start or stop is not tried again: its time is removed, and the reason is in
 * the audit log and the log. A failure does not delay the other experiments; an internal error is thrown at the end.
 */
export async function sweepSchedules(ctx: Context): Promise<number> {
  const errors: unknown[] = []
  let moved = 0
  for (const due of await listDueExperiments(ctx, ctx.clock.now())) {
    try {
      if (await moveOne(ctx, due)) moved++
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return moved
}

async function moveOne(ctx: Context, due: Due): Promise<boolean> {
  try {
    return await whileDue(ctx, due, (edit, row) => (row.status === 'DRAFT' ? start(edit, row) : stop(edit, row, {})))
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    if (error.refusal !== 'NOT_FOUND') await callOff(ctx, due, error) // NOT_FOUND: the project was deleted meanwhile.
    return false
  }
}

type Act = (edit: Edit, row: ExperimentTableRow) => Promise<unknown>

/** False when another process was faster, or the time has changed. */
const whileDue = (ctx: Context, { id, projectId }: Due, act: Act): Promise<boolean> => {
  const by: ProjectActor = { projectId, actor: SCHEDULE_ACTOR }
  return editProject(ctx, by, async (edit) => {
    const row = await findExperiment(edit.tx, projectId, { id })
    if (!row || !isDue(row, edit.now)) return false
    await act(edit, row)
    return true
  })
}

function isDue({ status, scheduledStartAt, scheduledStopAt }: ExperimentTableRow, now: number): boolean {
  const at = status === 'DRAFT' ? scheduledStartAt : status === 'COMPLETED' ? null : scheduledStopAt
  return at !== null && at <= now
}

async function callOff(ctx: Context, due: Due, error: AppError): Promise<void> {
  await whileDue(ctx, due, async (edit, row) => {
    const isStart = row.status === 'DRAFT'
    const change = isStart ? { scheduledStartAt: null } : { scheduledStopAt: null }
    await saveExperiment(edit, 'unschedule', row, change)
    const refused = error.toWire()
    edit.entries = edit.entries.map((entry) => ({ ...entry, after: { ...(entry.after as object), refused } }))
    const { id, projectId, key } = row
    const message = `a scheduled ${isStart ? 'start' : 'stop'} was refused and is not tried again`
    edit.tx.afterCommit(() =>
      edit.tx.log.error(message, { projectId, experiment: id, key, code: error.refusal, reason: error.message }),
    )
  })
}
