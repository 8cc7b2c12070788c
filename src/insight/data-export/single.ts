import type { Context } from '../../base/context'
import { describeFailure } from '../../base/jobs/failure'
import { reasonText } from '../../core/reason/reasons'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { conflict } from '../../projects/project/edit'
import { beginRun, takeRun } from './begin'
import { CONTINUE_WITHIN_MS, type Destination, type ExportContent, type S3Credentials } from './model'
import { openTarget } from './open-target'
import { isHeld, ownerName } from './owner'
import { findOpenRun, type RunRow, updateOwnRun, updateRun } from './queries'
import { performRun, type RunParts } from './run'

export interface SingleOrder extends ExportContent {
  projectId: string
  /** The name of the place among exports. */
  target: string
  since: number | 'last' | null
}

/**
 * The run of a single export: the one that an earlier call with the same order has started and could not end, or a new one.
 * 409 `CONFLICT` while another process works on it.
 */
export async function prepareSingle(ctx: Context, order: SingleOrder): Promise<{ run: RunRow; isContinued: boolean }> {
  const series = { projectId: order.projectId, target: order.target, columnSet: order.columns }
  const open = await findOpenRun(ctx, series, null)
  const now = ctx.clock.now()
  if (open && isHeld(open, now)) throw conflict('Another process is writing an export to this place; wait for it')
  if (open && isSameOrder(open, order) && now - open.startedAt < CONTINUE_WITHIN_MS)
    return { run: await ctx.write((tx) => takeRun(tx, open, ownerName(ctx))), isContinued: true }
  if (open) await ctx.write((tx) => updateRun(tx, open.id, { ...ABANDONED, finishedAt: now }))
  return { run: await beginRun(ctx, { ...order, scheduleId: null, actor: CLI_ACTOR }), isContinued: false }
}

const ABANDONED = {
  status: 'FAILED',
  error: reasonText('EXPORT_REPLACED'),
  owner: null,
} as const

const isSameOrder = (run: RunRow, { tables, format, since }: SingleOrder): boolean =>
  run.format === format && run.content.join() === tables.join() && (since === 'last' || since === run.windowFrom)

/** Where a single export goes. */
export interface SinglePlace {
  destination: Destination
  /** Of a bucket; null for a folder. */
  credentials: S3Credentials | null
}

/** Writes a run of the command line. After a failure the run can continue. */
export async function performSingle(
  ctx: Context,
  run: RunRow,
  place: SinglePlace,
  parts: Omit<RunParts, 'target'>,
): Promise<RunRow> {
  try {
    const target = await openTarget(ctx, place.destination, place.credentials, run)
    try {
      return await performRun(ctx, run, { ...parts, target })
    } finally {
      await target.close()
    }
  } catch (error) {
    const failed = { owner: null, attempts: run.attempts + 1, error: describeFailure(error) }
    await ctx.write((tx) => updateOwnRun(tx, run, failed))
    throw error
  }
}
