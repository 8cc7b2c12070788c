import type { Io } from '../../base/cli/command'
import { type Progress, startProgress } from '../../base/cli/progress'
import type { Context } from '../../base/context'
import type { RunRow } from './queries'
import { readerOf } from './readers/readers'

/** A line on the terminal that shows how many rows were looked at. The rows are counted only where it is seen. */
export async function exportProgress(
  ctx: Context,
  run: RunRow,
  io: Io,
): Promise<Progress & { add(seen: number): void }> {
  const total = io.isTerminal ? await countRows(ctx, run).catch(() => 0) : 0
  if (total === 0) return NOTHING_SHOWN // To count a very large table may take longer than the database allows.
  const progress = startProgress(io, { label: 'Exporting', unit: 'rows', total })
  let done = 0
  return {
    ...progress,
    add(seen) {
      done += seen
      progress.at(Math.min(done, total)) // The last page of a table counts as a whole one.
    },
  }
}

const NOTHING_SHOWN = { at: () => {}, end: () => {}, add: () => {} }

async function countRows(ctx: Context, { projectId, content, progress, columnSet }: RunRow): Promise<number> {
  let total = 0
  for (const table of content.slice(progress.table))
    total += await ctx.storage.readInThread((handle) => readerOf(columnSet, table).count(handle, projectId))
  return total
}
