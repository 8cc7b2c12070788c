import type { Blobs } from '../../../base/blobs/blobs'
import { reasonText } from '../../../core/reason/reasons'
import { ImportUnreadable } from '../files/faults'
import { readHeader } from '../files/header'
import { openRecords } from '../files/open-records'
import { openText } from '../files/text'
import type { ImportCheckpoint, ImportFile, ImportKind, ImportMapping, ImportOptions } from '../model'
import type { ImportRow, RowFault } from '../row'
import { presetOf } from './presets'
import { hasAnchor, isOfPerson } from './proofs'
import { RowReader } from './read-row'
import type { RecordReader } from './record'

/** What the rows are read by. */
export interface RowSource {
  kind: ImportKind
  preset: string | null
  files: readonly ImportFile[]
  mapping: ImportMapping | null
  options: ImportOptions
}

/** Records of one file that lie behind each other, and where the next one starts. */
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
 * @param size how many records the next batch has; more while the next record is about the same person
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
  const scanner = openRecords(header, start)
  const end = { offset: start.offset, nextLine: start.line }
  let batch = emptyBatch({ file, records: from?.records ?? 0, ...start })
  for await (const part of withEnd(openText(blobs, stored, start.offset))) {
    if (part === null) scanner.end()
    else scanner.add(part)
    while (scanner.next()) {
      const read = reader.read(scanner)
      if (batch.records >= size() && (batch.records >= MAX_BATCH || !isOfLast(batch, read))) {
        yield closeBatch(batch, end)
        batch = emptyBatch(batch.checkpoint)
      }
      addRecord(batch, read, job.options)
      end.offset = scanner.offset
      end.nextLine = scanner.nextLine
    }
  }
  if (batch.records > 0) yield closeBatch(batch, end)
}

/** Adjacent rows of one person stay together: what a batch has started costs the next one more. */
const isOfLast = ({ rows }: RowBatch, read: ImportRow | RowFault | null): boolean =>
  read !== null && !('message' in read) && rows.at(-1)?.subscriberExternalId === read.subscriberExternalId

function rowReader(
  { kind, preset, mapping }: RowSource,
  { name, form = 'CSV' }: ImportFile,
  headers: readonly string[],
): RowReader {
  if (!mapping) throw new ImportUnreadable(reasonText('IMPORT_UNMAPPED'))
  const missing = Object.values(mapping.columns).find((header) => !headers.includes(header))
  if (missing !== undefined) throw new ImportUnreadable(reasonText('FILE_COLUMN_MISSING', { name, column: missing }))
  return new RowReader({ kind, preset: presetOf(preset), mapping, form }, headers)
}

const emptyBatch = (checkpoint: ImportCheckpoint): RowBatch => ({
  ...{ rows: [], faults: [], records: 0, skipped: 0, checkpoint },
})

function addRecord(batch: RowBatch, read: ImportRow | RowFault | null, options: ImportOptions): void {
  batch.records++
  if (read === null) batch.skipped++
  else if ('message' in read) batch.faults.push(read)
  else if (isSkipped(read, options)) batch.skipped++
  else batch.rows.push(read)
}

const isSkipped = (row: ImportRow, { skipSandbox, importAnchorless }: ImportOptions): boolean =>
  (skipSandbox && row.isSandbox === true) || (!importAnchorless && !isOfPerson(row) && !hasAnchor(row))

/** @param end of its last record */
function closeBatch(batch: RowBatch, { offset, nextLine }: Pick<RecordReader, 'offset' | 'nextLine'>): RowBatch {
  const { file, records } = batch.checkpoint
  batch.checkpoint = { file, records: records + batch.records, offset, line: nextLine }
  return batch
}

/** The parts, and null behind the last one. */
async function* withEnd(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  yield* parts
  yield null
}
