import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { DEFAULT_DAILY_AT, dailyAtFaults, nextDaily } from '../../base/jobs/daily'
import { enqueue } from '../../base/jobs/queue'
import { type Actor, type AuditEntry, recordAudit } from '../../projects/audit/audit'
import { requireRevision, revisionAfter } from '../../projects/audit/revisions'
import { conflict, editDashboard, isSame, type ProjectActor, refuseFaults } from '../../projects/project/edit'
import { changeEntry } from '../../targeting/audiences/audit-entry'
import { beginRun, CANCELLED, runEntry } from './begin'
import { compareJob } from './jobs'
import { sealKey } from './key'
import { type CheckedOrder, type CompareInput, checkOrder } from './order'
import {
  deleteSchedule,
  findRun,
  findSchedule,
  type RunRow,
  type ScheduleRow,
  saveSchedule,
  updateRun,
} from './queries'
import { type RunView, type ScheduleView, toRunView, toScheduleView } from './views'

export interface CompareActor extends ProjectActor {
  /** Whether that is the command line of the server. */
  isTrusted: boolean
}

/**
 * A comparison that the server works on. 400 `VALIDATION_ERROR`; 409 `CONFLICT` while another one continues; 503
 * `FEATURE_NOT_CONFIGURED` without a master key, because the vendor's key is stored encrypted until the end.
 */
export async function startRun(
  ctx: Context,
  { projectId, actor, isTrusted }: CompareActor,
  { key, ...input }: CompareInput & { key: string },
): Promise<RunView> {
  const order = await checkOrder(ctx, input, { isTrusted, key })
  const sealedKey = sealKey(ctx, projectId, key)
  const run = await beginRun(ctx, { ...order, projectId, actor, sealedKey, isScheduled: false })
  await ctx.write((tx) => enqueue(tx, compareJob, { projectId, runId: run.id }, { dedupeKey: run.id }))
  return toRunView(run)
}

/** Ends a run where it is; its findings stay. 409 `CONFLICT` when it has ended already. */
export const cancelRun = (ctx: Context, { projectId, actor }: ProjectActor, id: string): Promise<RunView> =>
  ctx.write(async (tx) => {
    await tx.lock(`compare:${projectId}`)
    const run = await findRun(tx, projectId, id)
    if (!run) throw notFound('comparison', id)
    if (run.status !== 'RUNNING') throw conflict('The comparison has ended already')
    const ended: RunRow = { ...run, ...CANCELLED, finishedAt: tx.clock.now() }
    await updateRun(tx, id, ended)
    await recordAudit(tx, projectId, actor, [runEntry('cancel', run, ended)])
    return toRunView(ended)
  })

/** The file names people, so the audit log records who downloaded it. */
export const auditExport = (
  ctx: Context,
  actor: Actor,
  { id, projectId }: RunRow,
  kind: string | null,
): Promise<void> =>
  ctx.write((tx) => {
    const target = { type: 'export', id }
    return recordAudit(tx, projectId, actor, [{ action: 'compare.export', target, before: null, after: { kind } }])
  })

export interface ScheduleInput extends CompareInput {
  /** Left out = the saved one stays. */
  key?: string | undefined
  dailyAt?: string | undefined
  isEnabled?: boolean | undefined
}

/**
 * Sets the nightly comparison of a project. Another vendor or address needs its key again, so that no one can have the
 * saved one sent to another address. Refusals as for `startRun`.
 */
export async function setSchedule(ctx: Context, by: CompareActor, input: ScheduleInput): Promise<ScheduleView> {
  const { key, dailyAt = DEFAULT_DAILY_AT, isEnabled = true } = input
  refuseFaults(dailyAtFaults(dailyAt))
  const order = await checkOrder(ctx, input, { isTrusted: by.isTrusted, key })
  return editDashboard(ctx, by, async (edit) => {
    const { tx, projectId, now, entries } = edit
    const saved = await findSchedule(tx, projectId)
    if (saved) await requireRevision(tx, projectId, saved.id, by.expected ?? null)
    const id = saved?.id ?? tx.ids.next('csc')
    const row: ScheduleRow = {
      ...{ projectId, id, ...order, ...keyColumns(tx, projectId, key, saved, order) },
      ...{ dailyAt, isEnabled, nextRunAt: nextDaily(now, dailyAt) },
      ...{ createdAt: saved?.createdAt ?? now, updatedAt: now },
    }
    if (saved && key === undefined && isSame(imageOf(saved), imageOf(row)))
      return toScheduleView(saved, await revisionAfter(edit, id))
    await saveSchedule(tx, row)
    entries.push(scheduleEntry(saved === null ? 'create' : 'update', saved, row))
    return toScheduleView(row, await revisionAfter(edit, id))
  })
}

function keyColumns(
  ctx: Pick<Context, 'vault'>,
  projectId: string,
  key: string | undefined,
  saved: ScheduleRow | null,
  { vendor, url }: CheckedOrder,
): Pick<ScheduleRow, 'sealedKey' | 'keyLast4'> {
  if (key !== undefined) return { sealedKey: sealKey(ctx, projectId, key), keyLast4: key.slice(-4) }
  const isSamePlace = saved !== null && saved.vendor === vendor && saved.url === url
  if (isSamePlace) return { sealedKey: saved.sealedKey, keyLast4: saved.keyLast4 }
  throw new AppError('VALIDATION_ERROR', { fields: ['key'] }, { message: 'key is needed for a new vendor or address' })
}

/** 404 when there is none. What nightly comparisons have found stays. */
export const removeSchedule = (ctx: Context, by: ProjectActor): Promise<void> =>
  editDashboard(ctx, by, async ({ tx, projectId, entries }) => {
    const saved = await findSchedule(tx, projectId)
    if (!saved) throw notFound('nightly comparison')
    await requireRevision(tx, projectId, saved.id, by.expected ?? null)
    await deleteSchedule(tx, projectId)
    entries.push(scheduleEntry('delete', saved, null))
  })

const imageOf = ({ vendor, url, sample, rate, skipSandbox, dailyAt, isEnabled, keyLast4 }: ScheduleRow) => ({
  ...{ vendor, url, sample, rate, skipSandbox, dailyAt, isEnabled, keyLast4 },
})

const scheduleEntry = (verb: string, before: ScheduleRow | null, after: ScheduleRow | null): AuditEntry =>
  changeEntry('compareSchedule', verb, before, after, imageOf)
