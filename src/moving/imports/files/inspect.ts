import type { Blobs } from '../../../base/blobs/blobs'
import { reasonText } from '../../../core/reason/reasons'
import type { ImportFile } from '../model'
import { ImportUnreadable } from './faults'
import { type FileHeader, isGzip, isZip, readHeader } from './header'
import { readRange } from './text'
import { listZip } from './zip'

/** What a stored file holds. */
export interface InspectedFiles {
  files: ImportFile[]
  /** Of the first file; the others have the same names. */
  header: FileHeader
}

/** The CSV files in a blob, with their header. Throws `ImportUnreadable` for a blob that holds none. */
export async function inspectFiles(blobs: Blobs, stored: ImportFile): Promise<InspectedFiles> {
  const files = await listFiles(blobs, stored)
  const [first, ...others] = files
  if (!first) throw new ImportUnreadable(reasonText('FILE_WITHOUT_CSV'))
  const header = await readHeader(blobs, first)
  for (const file of others) {
    const { headers, form } = await readHeader(blobs, file)
    if (form !== header.form || !isSameSet(headers, header.headers))
      throw new ImportUnreadable(reasonText('FILE_COLUMNS_DIFFER', { name: first.name, other: file.name }))
  }
  return { files: header.form === 'CSV' ? files : files.map((file) => ({ ...file, form: header.form })), header }
}

async function listFiles(blobs: Blobs, stored: ImportFile): Promise<ImportFile[]> {
  const first = await readRange(blobs, stored.key, 0, 4)
  if (isGzip(first)) return [{ ...stored, packing: 'GZIP' }]
  if (!isZip(first)) return [stored]
  const read = (from: number, length: number) => readRange(blobs, stored.key, from, length)
  return (await listZip(read, stored.bytes)).map((packing) => ({ ...stored, name: packing.name, packing }))
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && [...a].sort().join('\n') === [...b].sort().join('\n')
