import type { Blobs } from '../../base/blobs/blobs'
import { toCsvLine } from '../../base/http/csv'
import { toRefusal } from './files/upload'
import type { ImportJobRow } from './queries'
import type { RowFault } from './row'

const HEADER = toCsvLine(['file', 'line', 'column', 'message'])

export const reportKey = (jobId: string): string => `imports/${jobId}/report`

/** Every row of the files that cannot be read, written while they are read. */
export interface ReportWriter {
  add(fileName: string, faults: readonly RowFault[]): Promise<void>
  close(): Promise<void>
  /** Leaves nothing. */
  abort(): Promise<void>
}

export function openReport(blobs: Blobs, jobId: string): ReportWriter {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  const stored = blobs.write(reportKey(jobId), readable)
  // When the storage fails, the next line is refused with its reason instead of waiting for ever.
  stored.catch((error) => writer.abort(error).catch(() => {}))
  const send = async (text: string): Promise<void> => {
    await Promise.race([writer.write(encoder.encode(text)), stored])
  }
  const begun = send(HEADER)
  begun.catch(() => {})
  return {
    async add(fileName, faults) {
      await begun
      if (faults.length > 0) await send(toLines(fileName, faults))
    },
    async close() {
      await begun
      await writer.close().catch(() => {})
      await stored
    },
    async abort() {
      await writer.abort(new Error('the report is not complete')).catch(() => {})
      await stored.catch(() => {})
    },
  }
}

const toLines = (fileName: string, faults: readonly RowFault[]): string =>
  faults.map(({ line, column, message }) => toCsvLine([fileName, line, column, message])).join('')

/** The report of the last dry run; without one, the faults that the job itself has. */
export async function readReport(blobs: Blobs, job: ImportJobRow): Promise<ReadableStream<Uint8Array>> {
  const stored = await blobs.read(reportKey(job.id))
  return stored ?? new Blob([HEADER + toLines(job.fileName, job.findings.errors)]).stream()
}

/** The same as one text. 503 `IMPORT_STORAGE_UNAVAILABLE`. */
export async function reportText(blobs: Blobs, job: ImportJobRow): Promise<string> {
  try {
    return await new Response(await readReport(blobs, job)).text()
  } catch (error) {
    throw toRefusal(error)
  }
}
