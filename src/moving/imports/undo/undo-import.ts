import { eq } from 'drizzle-orm'
import type { Context, Tx } from '../../../base/context'
import { type Actor, CLI_ACTOR, recordAudit } from '../../../projects/audit/audit'
import type { ProjectState } from '../../../projects/project/state'
import type { ImportJobRow } from '../commit/job-row'
import { deleteAnchors, listPurchaseMarks, listSubscriberMarks } from './queries'
import { undoPurchases } from './undo-purchases'
import { undoSubscribers } from './undo-subscribers'

/** What was taken back. What others have added since stays. */
export interface UndoResult {
  /** Purchases that only the import had brought. */
  purchasesRemoved: number
  /** Purchases that go on without what the import had said. */
  purchasesChanged: number
  subscribersRemoved: number
}

/** Purchases or subscribers of one transaction, so that others wait only a short time. */
const BATCH = 100

/**
 * Takes back what a job has imported, in many short transactions. After a crash the same call goes on: what is taken back
 * is no longer noted as the job's. The last transaction writes the audit row. The caller sees to it that the job does not
 * run.
 */
export async function undoImport(
  ctx: Context,
  project: ProjectState,
  job: ImportJobRow,
  actor: Actor = CLI_ACTOR,
): Promise<UndoResult> {
  const result: UndoResult = { purchasesRemoved: 0, purchasesChanged: 0, subscribersRemoved: 0 }
  if (job.undoneAt !== null) return result
  for (let isOpen = true; isOpen; )
    isOpen = await ctx.write(async (tx) => {
      const marks = await listPurchaseMarks(tx, job.id, BATCH)
      const undone = await undoPurchases(tx, project, job, marks)
      result.purchasesRemoved += undone.removed
      result.purchasesChanged += undone.changed
      return marks.length > 0
    })
  for (let isOpen = true; isOpen; )
    isOpen = await ctx.write(async (tx) => {
      const marks = await listSubscriberMarks(tx, job.id, BATCH)
      result.subscribersRemoved += await undoSubscribers(tx, job, marks)
      return marks.length > 0
    })
  while (await ctx.write((tx) => deleteAnchors(tx, job.id, BATCH)));
  await ctx.write((tx) => end(tx, project, job, actor, result))
  return result
}

async function end(tx: Tx, project: ProjectState, job: ImportJobRow, actor: Actor, result: UndoResult): Promise<void> {
  const { importJobs: j } = tx.tables
  const undoneAt = tx.clock.now()
  await tx.db.update(j).set({ undoneAt, updatedAt: undoneAt }).where(eq(j.id, job.id))
  const target = { type: 'import', id: job.id }
  await recordAudit(tx, project.id, actor, [{ action: 'import.undo', target, before: null, after: { ...result } }])
}
