import { Buffer } from 'node:buffer'
import type { Blobs } from '../../../base/blobs/blobs'
import { reasonText } from '../../../core/reason/reasons'
import type { FileForm, ImportFile } from '../model'
import { ImportUnreadable } from './faults'
import { objectOf } from './json-lines'
import { MAX_RECORD_BYTES, RecordScanner } from './records'
import { openText } from './text'

/** The header lies within this, and so has no million columns (wire 6). */
const MAX_HEADER_BYTES = 64 * 1024

/** The first record of a file. */
export interface FileHeader {
  headers: string[]
  /** `JSON_LINES` = every row is a JSON object with the names of its columns. */
  form: FileForm
  /** Of CSV. */
  separator: string
  /** Where the rows start, in bytes of the text and in physical lines. */
  offset: number
  line: number
}

const SEPARATORS = [',', ';', '\t'] as const

/**
 * Reads the first record, or the names that the first rows of JSON Lines have. Throws `ImportUnreadable` when there is
 * none, when it is too long or no text.
 */
export async function readHeader(blobs: Blobs, file: ImportFile): Promise<FileHeader> {
  const window = await readWindow(blobs, file, WINDOW_BYTES)
  refusePacked(window.bytes)
  if (!isJson(window.bytes)) return readCsvHeader(window)
  return readJsonHeader(window.isWhole ? window : await readWindow(blobs, file, JSON_WINDOW_BYTES))
}

/** One byte more than the longest header, and a line end. */
const WINDOW_BYTES = MAX_HEADER_BYTES + 3

/** One line, however long. */
const JSON_WINDOW_BYTES = MAX_RECORD_BYTES + 2

const isJson = (bytes: Buffer): boolean => /^\s*(\{|\[\s*(\{|$))/.test(bytes.toString('latin1', 0, 256))

function readJsonHeader({ bytes, isWhole }: Window): FileHeader {
  if (bytes.toString('latin1', 0, 256).trimStart().startsWith('['))
    throw new ImportUnreadable(reasonText('FILE_IS_LIST'))
  const lines = bytes.toString().split('\n')
  const whole = isWhole ? lines : lines.slice(0, -1)
  if (whole.length === 0) throw new ImportUnreadable(reasonText('FILE_LINE_TOO_LONG'))
  const headers = [...new Set(whole.flatMap((line) => Object.keys(objectOf(line) ?? {})))]
  if (headers.length === 0) throw new ImportUnreadable(reasonText('FILE_WITHOUT_OBJECTS'))
  if (Buffer.byteLength(headers.join()) > MAX_HEADER_BYTES) throw tooLong()
  return { headers, form: 'JSON_LINES', separator: ',', offset: 0, line: 1 }
}

const tooLong = () => new ImportUnreadable(reasonText('HEADER_TOO_LONG', { size: String(MAX_HEADER_BYTES / 1024) }))

interface Window {
  bytes: Buffer
  isWhole: boolean
}

function readCsvHeader({ bytes, isWhole }: Window): FileHeader {
  const length = recordLength(bytes)
  if (length > MAX_HEADER_BYTES || (length === bytes.length && !isWhole)) throw tooLong()
  const separator = separatorOf(bytes.subarray(0, length))
  const scanner = new RecordScanner(separator, MAX_HEADER_BYTES)
  scanner.add(bytes)
  if (isWhole) scanner.end()
  if (!scanner.next()) throw new ImportUnreadable(reasonText('FILE_EMPTY'))
  if (scanner.fault !== null) throw new ImportUnreadable(reasonText('HEADER_QUOTE'))
  return { headers: textsOf(scanner), form: 'CSV', separator, offset: scanner.offset, line: scanner.nextLine }
}

function textsOf(scanner: RecordScanner): string[] {
  return Array.from({ length: scanner.count }, (_, at) => {
    const text = scanner.field(at)
    if (text === null) throw damagedName(scanner, at)
    return text.trim()
  })
}

function damagedName(scanner: RecordScanner, at: number): ImportUnreadable {
  const [line, column, message] = [String(scanner.line), String(at + 1), scanner.fieldFault(at) ?? '']
  return new ImportUnreadable(reasonText('HEADER_DAMAGED', { line, column, message }))
}

async function readWindow(blobs: Blobs, file: ImportFile, maxBytes: number): Promise<Window> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of openText(blobs, file)) {
    parts.push(part)
    length += part.length
    if (length > maxBytes) return { bytes: Buffer.concat(parts).subarray(0, maxBytes), isWhole: false }
  }
  return { bytes: Buffer.concat(parts), isWhole: true }
}

function refusePacked(bytes: Buffer): void {
  if (isGzip(bytes) || isZip(bytes)) throw new ImportUnreadable(reasonText('PACKED_TWICE'))
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
