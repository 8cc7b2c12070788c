import type { Context, Tx } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import { waitForOpenWrites } from '../figures/open-writes'
import { type ExportContent, NO_PROGRESS, OVERLAP_MS } from './model'
import { ownerName } from './owner'
import { deleteOldRuns, insertRun, listCompletedRuns, type RunRow, type RunSeries, updateRun } from './queries'

/** What a new run exports, and into what. */
export interface RunOrder extends ExportContent {
  projectId: string
  /** Of a schedule; null for a single export. */
  scheduleId: string | null
  target: string
  /** From an instant on; `last` = since the last complete export of the same tables into the same place. */
  since: number | 'last' | null
  actor: Actor
}

export const RUNS_KEPT = 400 * DAY

/** Writes a new run, which this process owns. An export takes data of many people out, so it is in the audit log. */
export async function beginRun(ctx: Context, order: RunOrder): Promise<RunRow> {
  const now = ctx.clock.now()
  const openForMs = await waitForOpenWrites(ctx)
  const { projectId, scheduleId, target, tables, format, columns, actor } = order
  const windowFrom = order.since === 'last' ? await findLastEnd(ctx, order) : order.since
  const content = { content: [...tables], format, columnSet: columns }
  const counts = { rowCount: 0, byteCount: 0, attempts: 0, error: null }
  return ctx.write(async (tx) => {
    const run: RunRow = {
      id: tx.ids.next('exr'),
      ...{ projectId, scheduleId, target, ...content, windowFrom, windowTo: now - openForMs },
      ...{ status: 'RUNNING', progress: NO_PROGRESS, ...counts },
      ...{ owner: ownerName(ctx), seenAt: now, startedAt: now, finishedAt: null },
    }
    await insertRun(tx, run)
    await recordAudit(tx, projectId, actor, [entryOf(run)])
    await deleteOldRuns(tx, now - RUNS_KEPT)
    return run
  })
}

const entryOf = ({ id, scheduleId, target, content, format, columnSet, windowFrom, windowTo }: RunRow) => ({
  action: 'data.export',
  target: { type: 'dataExport', id },
  before: null,
  after: { scheduleId, target, tables: content, format, columns: columnSet, from: windowFrom, to: windowTo },
})

/** How many earlier runs are searched for one with all the tables. */
const SEARCHED = 50

/** Where the next export of these tables starts; null when there was none: then it has every row. */
async function findLastEnd(ctx: Context, { tables, columns, ...order }: RunOrder): Promise<number | null> {
  const series: RunSeries = { projectId: order.projectId, target: order.target, columnSet: columns }
  const runs = await listCompletedRuns(ctx, series, SEARCHED)
  const last = runs.find(({ content }) => tables.every((table) => content.includes(table)))
  return last ? Math.max(0, last.windowTo - OVERLAP_MS) : null
}

/** Makes this process the one that works on an open run. */
export async function takeRun(tx: Tx, run: RunRow, owner: string): Promise<RunRow> {
  const change = { owner, seenAt: tx.clock.now() }
  await updateRun(tx, run.id, change)
  return { ...run, ...change }
}
