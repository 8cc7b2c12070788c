import type { Blobs } from '../../base/blobs/blobs'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { readHeader } from './files/header'
import { type InspectedFiles, inspectFiles } from './files/inspect'
import { openRecords } from './files/open-records'
import { openText } from './files/text'
import { storeUpload, toRefusal } from './files/upload'
import type { ImportFile } from './model'
import { recognisePreset } from './rows/presets'

/** A file as it arrives. */
export interface Upload {
  fileName: string
  /** As declared; null = not. */
  bytes: number | null
  body: AsyncIterable<Uint8Array>
}

/** Stores a file and works with it. When that fails, the file is removed again. */
export async function withFile<Result>(
  { state: { blobs } }: Context,
  key: string,
  { fileName, body }: Upload,
  work: (inspected: InspectedFiles) => Promise<Result>,
): Promise<Result> {
  const stored = await storeUpload(blobs, key, body)
  try {
    const inspected = await inspectFiles(blobs, { key, name: fileName, ...stored })
    if (recognisePreset(inspected.header.headers)?.kind === 'ANDROID_TOKEN_ENRICHMENT')
      for (const file of inspected.files) await refuseTooMany(blobs, file)
    return await work(inspected)
  } catch (error) {
    await blobs.remove(key).catch(() => {})
    throw toRefusal(error)
  }
}

/** The rows that one file of Android tokens may have (wire 6). */
const MAX_TOKEN_ROWS = 500_000

async function refuseTooMany(blobs: Blobs, file: ImportFile): Promise<void> {
  const header = await readHeader(blobs, file)
  const scanner = openRecords(header)
  let rows = 0
  for await (const part of openText(blobs, file, header.offset)) {
    scanner.add(part)
    while (scanner.next()) rows++
    if (rows > MAX_TOKEN_ROWS) break
  }
  scanner.end()
  while (scanner.next()) rows++
  if (rows > MAX_TOKEN_ROWS)
    throw invalid(`A file of Android tokens has at most ${MAX_TOKEN_ROWS} rows; split it and send the parts`)
}
