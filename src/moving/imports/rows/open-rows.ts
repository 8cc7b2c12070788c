import type { Blobs } from '../../../base/blobs/blobs'
import { ImportUnreadable } from '../files/faults'
import { readHeader } from '../files/header'
import { RecordScanner } from '../files/records'
import { openText } from '../files/text'
import type { ImportCheckpoint, ImportFile, ImportKind, ImportMapping, ImportOptions } from '../model'
import type { ImportRow, RowFault } from '../row'
import { presetOf } from './presets'
import { hasAnchor } from './proofs'
import { RowReader } from './read-row'

/** What the rows are read by. */
export interface RowSource {
  kind: ImportKind
  preset: string | null
  files: readonly ImportFile[]
  mapping: ImportMapping | null
  options: ImportOptions
}

/** Records of one file that lie behind each other, and where the next one begins. */
export interface RowBatch {
  rows: ImportRow[]
  faults: RowFault[]
  records: number
  /** Rows that can be read and are left out by the options of the job. */
  skipped: number
  checkpoint: ImportCheckpoint
}

export const MAX_BATCH = 1000

/**
 * The rows of all files of a job behind a checkpoint, in batches. Throws `ImportUnreadable` when a file cannot be read.
 *
 * @param size how many records the next batch has at the most
 */
export async function* openRows(
  { state: { blobs } }: { state: { blobs: Blobs } },
  job: RowSource,
  from: ImportCheckpoint | null,
  size: () => number = () => MAX_BATCH,
): AsyncGenerator<RowBatch> {
  for (let file = from?.file ?? 0; file < job.files.length; file++)
    yield* readFile(blobs, { job, size }, file, from?.file === file ? from : null)
}

async function* readFile(
  blobs: Blobs,
  { job, size }: { job: RowSource; size: () => number },
  file: number,
  from: ImportCheckpoint | null,
): AsyncGenerator<RowBatch> {
  const stored = job.files[file] as ImportFile
  const header = await readHeader(blobs, stored)
  const reader = rowReader(job, stored, header.headers)
  const start = { offset: from?.offset ?? header.offset, line: from?.line ?? header.line }
  const scanner = new RecordScanner(header.separator, header.headers.length, start)
  let batch = emptyBatch({ file, records: from?.records ?? 0, ...start })
  for await (const part of withEnd(openText(blobs, stored, start.offset))) {
    if (part === null) scanner.end()
    else scanner.add(part)
    while (scanner.next()) {
      addRecord(batch, reader.read(scanner), job.options)
      if (batch.records < size()) continue
      yield closeBatch(batch, scanner)
      batch = emptyBatch(batch.checkpoint)
    }
  }
  if (batch.records > 0) yield closeBatch(batch, scanner)
}

function rowReader({ kind, preset, mapping }: RowSource, { name }: ImportFile, headers: readonly string[]): RowReader {
  if (!mapping) throw new ImportUnreadable('The columns of the import are not mapped')
  const missing = Object.values(mapping.columns).find((header) => !headers.includes(header))
  if (missing !== undefined) throw new ImportUnreadable(`The file "${name}" has no column "${missing}"`)
  return new RowReader({ kind, preset: presetOf(preset), mapping }, headers)
}

const emptyBatch = (checkpoint: ImportCheckpoint): RowBatch => ({
  ...{ rows: [], faults: [], records: 0, skipped: 0, checkpoint },
})

function addRecord(batch: RowBatch, read: ImportRow | RowFault, options: ImportOptions): void {
  batch.records++
  if ('message' in read) batch.faults.push(read)
  else if (isSkipped(read, options)) batch.skipped++
  else batch.rows.push(read)
}

const isSkipped = (row: ImportRow, { skipSandbox, importAnchorless }: ImportOptions): boolean =>
  (skipSandbox && row.isSandbox === true) || (!importAnchorless && !hasAnchor(row))

function closeBatch(batch: RowBatch, { offset, nextLine }: RecordScanner): RowBatch {
  const { file, records } = batch.checkpoint
  batch.checkpoint = { file, records: records + batch.records, offset, line: nextLine }
  return batch
}

/** The parts, and null behind the last one. */
async function* withEnd(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  yield* parts
  yield null
}
