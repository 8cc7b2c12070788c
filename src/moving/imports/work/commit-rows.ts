import type { Context, Tx } from '../../../base/context'
import { Pace } from '../../../base/jobs/pace'
import { countRead, noteFindings } from '../findings'
import type { BatchResult, ImportCounters, ImportFindings } from '../model'
import { findJob, type ImportJobRow, lockFindings } from '../queries'
import { MAX_BATCH, openRows, type RowBatch } from '../rows/open-rows'
import { saveOwn } from './own-job'
import type { WorkParts } from './turn'

/** Records in one transaction, by the time that it takes. */
const PACE = { wantedMs: 80, first: 50, min: 25, max: MAX_BATCH }

/**
 * Writes the rows behind the checkpoint, batch by batch. Each batch is one transaction with its counters and its
 * checkpoint, so that it is written whole or not at all, however often the work is interrupted.
 */
export async function commitRows(ctx: Context, job: ImportJobRow, parts: WorkParts): Promise<ImportJobRow> {
  let current = job
  const pace = new Pace(PACE)
  for await (const batch of openRows(ctx, job, job.checkpoint, () => pace.records)) {
    const write = (tx: Tx) => pace.timed(batch.records, () => writeBatch(tx, current, batch, parts))
    current = await ctx.write(write, { isRepeated: true })
    await parts.afterBatch(current)
  }
  const last = current
  return ctx.write(async (tx) => {
    await ctx.state.importSteps.endCommit(tx, await parts.project(), last)
    return saveOwn(tx, last, { status: 'VERIFYING', error: null })
  })
}

async function writeBatch(
  tx: Tx,
  job: ImportJobRow,
  batch: RowBatch,
  { steps, project }: WorkParts,
): Promise<ImportJobRow> {
  const write = job.kind === 'HISTORY' ? steps.commitBatch : steps.enrichTokens
  const result = await write(tx, await project(), job, batch.rows)
  const known = { ...batch, faults: [...batch.faults, ...(result.faults ?? [])] }
  return saveOwn(tx, job, {
    counters: countWritten(countRead(job.counters, known), result),
    findings: noteFindings(await storedFindings(tx, job), known, result.unknownProducts),
    checkpoint: batch.checkpoint,
  })
}

/** Read again: an erasure may have taken findings out that quote a person. */
async function storedFindings(tx: Tx, job: ImportJobRow): Promise<ImportFindings> {
  await lockFindings(tx, job.id)
  return (await findJob(tx, job.projectId, job.id))?.findings ?? job.findings
}

const countWritten = (counters: ImportCounters, result: BatchResult): ImportCounters => ({
  ...counters,
  subscribersNew: counters.subscribersNew + result.subscribersNew,
  purchasesNew: counters.purchasesNew + result.purchasesNew,
  purchasesUpdated: counters.purchasesUpdated + result.purchasesUpdated,
  skipped: counters.skipped + result.skipped,
})
