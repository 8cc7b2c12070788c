import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import { csvEncoder } from './formats/csv'
import { jsonlEncoder } from './formats/jsonl'
import { parquetEncoder } from './formats/parquet'
import type { RowEncoder } from './formats/row-encoder'
import type { Column, ExportFile, ExportFormat, ExportTable, SplitLimits } from './model'
import { PartFile } from './part-file'
import type { RunRow } from './queries'
import type { TableReader } from './readers/reader'
import { readerOf } from './readers/readers'

/** Called after each page; throws when the run must stop. */
export type OnPage = (table: ExportTable, seen: number) => Promise<void>

interface FileOrder {
  run: Pick<RunRow, 'format' | 'columnSet' | 'windowFrom' | 'windowTo'>
  project: ProjectState
  table: ExportTable
  after: string | null
  name: string
  path: string
  limits: SplitLimits
  onPage: OnPage
}

/**
 * Writes the rows of a table after a position into one file, until the file is full or the table ends. Each page is one
 * short read, so that no read of the database lasts as long as the export.
 */
export async function writeRows(ctx: Context, order: FileOrder): Promise<{ file: ExportFile; next: string | null }> {
  const reader = readerOf(order.run.columnSet, order.table)
  const encoder = await createEncoder(order.run.format, reader.columns)
  const part = await PartFile.create(order.path)
  try {
    const { rows, next } = await copyRows(ctx, order, { reader, encoder, part })
    await part.write(encoder.end())
    const file = { name: order.name, table: order.table, rows, bytes: part.bytes, sha256: part.sha256() }
    return { file, next }
  } finally {
    await part.close()
  }
}

interface Parts {
  reader: TableReader
  encoder: RowEncoder
  part: PartFile
}

async function copyRows(
  ctx: Context,
  { run, project, table, after, limits, onPage }: FileOrder,
  { reader, encoder, part }: Parts,
): Promise<{ rows: number; next: string | null }> {
  const scope = { project, window: { from: run.windowFrom, to: run.windowTo } }
  let [rows, position] = [0, after]
  for (;;) {
    const page = await ctx.storage.readInThread((handle) => reader.page(handle, scope, position), {
      group: project.id,
    })
    await part.write(encoder.push(page.rows))
    rows += page.rows.length
    position = page.next
    await onPage(table, page.seen)
    if (position === null || rows >= limits.rows || part.bytes >= limits.bytes) return { rows, next: position }
  }
}

const createEncoder = async (format: ExportFormat, columns: readonly Column[]): Promise<RowEncoder> => {
  if (format === 'csv') return csvEncoder(columns)
  return format === 'jsonl' ? jsonlEncoder(columns) : parquetEncoder(columns)
}
