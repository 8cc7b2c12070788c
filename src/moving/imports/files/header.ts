import { Buffer } from 'node:buffer'
import type { Blobs } from '../../../base/blobs/blobs'
import type { ImportFile } from '../model'
import { ImportUnreadable } from './faults'
import { RecordScanner } from './records'
import { openText } from './text'

/** The header lies within this, and so has no million columns (wire 6). */
const MAX_HEADER_BYTES = 64 * 1024

/** The first record of a file. */
export interface FileHeader {
  headers: string[]
  separator: string
  /** Where the rows begin, in bytes of the text and in physical lines. */
  offset: number
  line: number
}

const SEPARATORS = [',', ';', '\t'] as const

/** Reads the first record. Throws `ImportUnreadable` when there is none, when it is too long or no text. */
export async function readHeader(blobs: Blobs, file: ImportFile): Promise<FileHeader> {
  const { bytes, isWhole } = await readWindow(blobs, file)
  refusePacked(bytes)
  const length = recordLength(bytes)
  if (length > MAX_HEADER_BYTES || (length === bytes.length && !isWhole))
    throw new ImportUnreadable(`The header is longer than ${MAX_HEADER_BYTES / 1024} KiB`)
  const separator = separatorOf(bytes.subarray(0, length))
  const scanner = new RecordScanner(separator, MAX_HEADER_BYTES)
  scanner.add(bytes)
  if (isWhole) scanner.end()
  if (!scanner.next()) throw new ImportUnreadable('The file is empty; its first line must name the columns')
  if (scanner.fault !== null) throw new ImportUnreadable('The header has a quote that is never closed')
  return { headers: textsOf(scanner), separator, offset: scanner.offset, line: scanner.nextLine }
}

function textsOf(scanner: RecordScanner): string[] {
  return Array.from({ length: scanner.count }, (_, at) => {
    const text = scanner.field(at)
    if (text === null)
      throw new ImportUnreadable(
        `The header (line ${scanner.line}, column ${at + 1}) ${scanner.fieldFault(at)}; send the file in UTF-8`,
      )
    return text.trim()
  })
}

/** One byte more than the longest header, and a line end. */
const WINDOW_BYTES = MAX_HEADER_BYTES + 3

async function readWindow(blobs: Blobs, file: ImportFile): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of openText(blobs, file)) {
    parts.push(part)
    length += part.length
    if (length > WINDOW_BYTES) return { bytes: Buffer.concat(parts).subarray(0, WINDOW_BYTES), isWhole: false }
  }
  return { bytes: Buffer.concat(parts), isWhole: true }
}

function refusePacked(bytes: Buffer): void {
  if (isGzip(bytes) || isZip(bytes))
    throw new ImportUnreadable('The packed file holds another packed file; send that one alone')
}

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6))

const [QUOTE, LF, CR] = [34, 10, 13]

/** The first line with a character that is outside of quotes ends here. */
function recordLength(bytes: Buffer): number {
  let isQuoted = false
  let hasContent = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) isQuoted = !isQuoted
    const isLineEnd = !isQuoted && (byte === LF || byte === CR)
    if (isLineEnd && hasContent) return at
    if (!isLineEnd) hasContent = true
  }
  return bytes.length
}

/** The one of the separators that the header has most of, outside of quotes. */
function separatorOf(bytes: Buffer): string {
  const counts = new Map<string, number>(SEPARATORS.map((separator) => [separator, 0]))
  let isQuoted = false
  for (const byte of bytes) {
    if (byte === QUOTE) isQuoted = !isQuoted
    const character = String.fromCharCode(byte)
    const count = counts.get(character)
    if (!isQuoted && count !== undefined) counts.set(character, count + 1)
  }
  return SEPARATORS.reduce((best, next) => ((counts.get(next) ?? 0) > (counts.get(best) ?? 0) ? next : best))
}
