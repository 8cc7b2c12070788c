import type { Context } from '../../../base/context'
import { NOTHING_UNDONE } from '../machine'
import type { ImportJobRow } from '../queries'
import { addUndone, type WriteUndo } from '../undo/undo-import'
import { saveOwn } from './own-job'
import type { WorkParts } from './turn'

/** Undoes the rows of a job, batch by batch. Each is one transaction with the numbers of what was taken back. */
export async function undoRows(ctx: Context, job: ImportJobRow, parts: WorkParts): Promise<ImportJobRow> {
  let current = job
  const write: WriteUndo = async (batch) => {
    const { undone, saved } = await ctx.write(async (tx) => {
      const undone = await batch(tx)
      return { undone, saved: undone && (await saveOwn(tx, current, { findings: withUndone(current, undone) })) }
    })
    if (saved) {
      current = saved
      await parts.afterBatch(current)
    }
    return undone
  }
  await parts.steps.undoImport(ctx, await parts.project(), job, write)
  return ctx.write((tx) => {
    const now = tx.clock.now()
    const findings = withUndone(current, NOTHING_UNDONE)
    return saveOwn(tx, current, { status: 'CANCELLED', owner: null, findings, undoneAt: now, finishedAt: now })
  })
}

const withUndone = ({ findings }: ImportJobRow, more: typeof NOTHING_UNDONE): ImportJobRow['findings'] => ({
  ...findings,
  undone: addUndone(findings.undone ?? NOTHING_UNDONE, more),
})
