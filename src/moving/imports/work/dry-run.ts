import type { Context } from '../../../base/context'
import { Pace } from '../../../base/jobs/pace'
import { monotonicMs, SECOND } from '../../../base/lib/clock'
import { countRead, noteFindings } from '../findings'
import { Forecast } from '../forecast/forecast'
import { OwnerWatch } from '../forecast/owner-watch'
import { ProductWatch } from '../forecast/product-watch'
import { findUnknown } from '../known-products'
import { NO_COUNTERS, NO_FINDINGS } from '../machine'
import type { ImportJobRow } from '../queries'
import { openReport, type ReportWriter } from '../report'
import { MAX_BATCH, openRows } from '../rows/open-rows'
import { saveOwn } from './own-job'
import type { WorkParts } from './turn'

const SAVE_EVERY_MS = SECOND
/** Planning a batch holds the main thread, which serves all requests. */
const PACE = { wantedMs: 20, first: 200, min: 50, max: MAX_BATCH }

/** Reads every row and writes none: counters, the first faults, the report with all of them, and the forecast. */
export async function dryRun(ctx: Context, job: ImportJobRow, parts: WorkParts): Promise<ImportJobRow> {
  const report = openReport(ctx.state.blobs, job.id)
  try {
    const read = await readAll(ctx, job, report, parts)
    await report.close()
    const done = { status: 'DRY_RUN_COMPLETE' as const, owner: null, error: null, checkpoint: null }
    const findings = { ...read.findings, fileRows: read.counters.rows }
    return await ctx.write((tx) => saveOwn(tx, read, { ...done, counters: read.counters, findings }))
  } catch (error) {
    await report.abort()
    throw error
  }
}

async function readAll(
  ctx: Context,
  job: ImportJobRow,
  report: ReportWriter,
  { project, afterBatch }: WorkParts,
): Promise<ImportJobRow> {
  let current: ImportJobRow = { ...job, counters: NO_COUNTERS, findings: NO_FINDINGS }
  const owners = new OwnerWatch(job.files.map(({ name }) => name))
  const [forecast, products] = [new Forecast(), new ProductWatch()]
  const isHistory = job.kind === 'HISTORY'
  let savedAtMs = monotonicMs()
  const pace = new Pace(PACE)
  for await (const batch of openRows(ctx, job, null, () => pace.records)) {
    const found = await project()
    const { catalog } = found
    const note = () => forecast.note(ctx, found, job, batch.rows)
    const skipped = isHistory ? await pace.timed(batch.rows.length, note) : 0
    if (isHistory) products.note(batch.rows, catalog)
    const warnings = owners.note(batch.rows, batch.checkpoint.file, { catalog, ...job })
    const faults = [...batch.faults, ...warnings].toSorted((a, b) => a.line - b.line)
    const findings = noteFindings(current.findings, { faults }, findUnknown({ catalog }, job.kind, batch.rows))
    const counters = countRead(current.counters, { ...batch, skipped: batch.skipped + skipped })
    current = { ...current, counters: { ...counters, warnings: (counters.warnings ?? 0) + warnings.length }, findings }
    await report.add(job.files[batch.checkpoint.file]?.name ?? job.fileName, faults)
    if (monotonicMs() - savedAtMs >= SAVE_EVERY_MS) {
      await ctx.write((tx) => saveOwn(tx, current, { counters: current.counters }))
      savedAtMs = monotonicMs()
    }
    await afterBatch({ ...current, checkpoint: batch.checkpoint })
  }
  if (!isHistory) return current
  const findings = { ...current.findings, forecast: forecast.result(), products: products.result() }
  return { ...current, findings }
}
