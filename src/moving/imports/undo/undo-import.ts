import type { Context, Tx } from '../../../base/context'
import type { ProjectState } from '../../../projects/project/state'
import { NOTHING_UNDONE } from '../machine'
import type { UndoResult } from '../model'
import type { ImportJobRow } from '../queries'
import { deleteAnchors, listPurchaseMarks, listSubscriberMarks } from './queries'
import { undoPurchases } from './undo-purchases'
import { undoSubscribers } from './undo-subscribers'

/** Runs one batch in a transaction. The batch returns what it took back, or null when nothing was left. */
export type WriteUndo = (batch: (tx: Tx) => Promise<UndoResult | null>) => Promise<UndoResult | null>

/** Purchases or subscribers of one transaction, so that others wait only a short time. */
const BATCH = 100

/**
 * Takes back what a job has imported, in many short transactions. After a crash the same call continues: what is taken back
 * is no longer noted as the job's. The caller sees to it that the job does not run.
 */
export async function undoImport(
  ctx: Context,
  project: ProjectState,
  job: ImportJobRow,
  write: WriteUndo = (batch) => ctx.write(batch),
): Promise<UndoResult> {
  let total = NOTHING_UNDONE
  for (const batch of [purchasesOf(project, job), subscribersOf(job), anchorsOf(job)])
    for (let undone = await write(batch); undone !== null; undone = await write(batch)) total = addUndone(total, undone)
  return total
}

export const addUndone = (one: UndoResult, other: UndoResult): UndoResult => ({
  purchasesRemoved: one.purchasesRemoved + other.purchasesRemoved,
  purchasesChanged: one.purchasesChanged + other.purchasesChanged,
  subscribersRemoved: one.subscribersRemoved + other.subscribersRemoved,
})

const purchasesOf = (project: ProjectState, job: ImportJobRow) => async (tx: Tx) => {
  const marks = await listPurchaseMarks(tx, job.id, BATCH)
  if (marks.length === 0) return null
  const { removed, changed } = await undoPurchases(tx, project, job, marks)
  return { ...NOTHING_UNDONE, purchasesRemoved: removed, purchasesChanged: changed }
}

const subscribersOf = (job: ImportJobRow) => async (tx: Tx) => {
  const marks = await listSubscriberMarks(tx, job.id, BATCH)
  if (marks.length === 0) return null
  return { ...NOTHING_UNDONE, subscribersRemoved: await undoSubscribers(tx, job, marks) }
}

const anchorsOf = (job: ImportJobRow) => async (tx: Tx) =>
  (await deleteAnchors(tx, job.id, BATCH)) ? NOTHING_UNDONE : null
