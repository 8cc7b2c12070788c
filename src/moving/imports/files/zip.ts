import { Buffer } from 'node:buffer'
import { reasonText } from '../../../core/reason/reasons'
import { ImportUnreadable } from './faults'
import { refuseBomb } from './unpack'

/** A CSV file within a zip file. */
export interface ZipEntry {
  name: string
  /** Where its local header starts. */
  offset: number
  packedBytes: number
  bytes: number
  isDeflated: boolean
}

/** Reads bytes of the zip file. */
export type ReadRange = (from: number, length: number) => Promise<Buffer>

const END_BYTES = 22
const MAX_COMMENT_BYTES = 65_535
const LOCATOR_BYTES = 20
const MAX_DIRECTORY_BYTES = 8 * 1024 * 1024
const MAX_ENTRIES = 1000

/** The CSV files of a zip file, in its own order. Refuses a file without any, and one that holds packed files. */
export async function listZip(read: ReadRange, size: number): Promise<ZipEntry[]> {
  const { offset, length } = await findDirectory(read, size)
  if (length > MAX_DIRECTORY_BYTES || offset + length > size) throw damaged()
  const all = parseDirectory(await read(offset, length))
  const files = all.filter(({ name }) => !name.endsWith('/') && !/(^|\/)(__MACOSX\/|\.)/.test(name))
  const nested = files.find(({ name }) => /\.(zip|gz|gzip|tgz|bz2|xz|7z|rar|zst)$/i.test(name))
  if (nested) throw new ImportUnreadable(reasonText('ZIP_TWICE', { name: nested.name }))
  const tables = files.filter(({ name }) => /\.(csv|tsv|txt|jsonl|ndjson)$/i.test(name))
  if (tables.length === 0) throw new ImportUnreadable(reasonText('ZIP_WITHOUT_TABLES'))
  if (tables.length > MAX_ENTRIES)
    throw new ImportUnreadable(reasonText('ZIP_TOO_MANY', { count: String(MAX_ENTRIES) }))
  for (const { name, bytes, packedBytes, flags, method } of tables) {
    if ((flags & 1) !== 0) throw new ImportUnreadable(reasonText('ZIP_PASSWORD', { name }))
    if (method !== 0 && method !== 8) throw new ImportUnreadable(reasonText('ZIP_METHOD', { name }))
    refuseBomb({ packed: packedBytes, unpacked: bytes })
  }
  refuseOverlaps(tables, offset)
  const sum = (of: (entry: DirectoryEntry) => number): number => tables.reduce((total, entry) => total + of(entry), 0)
  refuseBomb({ packed: sum(({ packedBytes }) => packedBytes), unpacked: sum(({ bytes }) => bytes) })
  return tables.map(({ name, offset: at, packedBytes, bytes, method }) => ({
    ...{ name, offset: at, packedBytes, bytes, isDeflated: method === 8 },
  }))
}

const LOCAL_HEADER_BYTES = 30

/** Several entries at the same bytes would make a small file very long. */
function refuseOverlaps(entries: readonly DirectoryEntry[], directoryAt: number): void {
  const inOrder = entries.toSorted((a, b) => a.offset - b.offset)
  for (const [index, { offset, packedBytes }] of inOrder.entries())
    if (offset + LOCAL_HEADER_BYTES + packedBytes > (inOrder[index + 1]?.offset ?? directoryAt))
      throw new ImportUnreadable(reasonText('ZIP_OVERLAP'))
}

/** Where the packed bytes of an entry start. */
export async function findContent(read: ReadRange, { offset }: ZipEntry): Promise<number> {
  const head = await read(offset, LOCAL_HEADER_BYTES)
  if (head.length < LOCAL_HEADER_BYTES || head.readUInt32LE(0) !== 0x04034b50) throw damaged()
  return offset + LOCAL_HEADER_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28)
}

async function findDirectory(read: ReadRange, size: number): Promise<{ offset: number; length: number }> {
  const tailBytes = Math.min(size, END_BYTES + MAX_COMMENT_BYTES + LOCATOR_BYTES)
  const tail = await read(size - tailBytes, tailBytes)
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]), tail.length - END_BYTES)
  if (at < 0) throw damaged()
  const end = { length: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) }
  const isWide = end.offset === WIDE || end.length === WIDE || tail.readUInt16LE(at + 10) === 0xffff
  const locator = at - LOCATOR_BYTES
  if (!isWide || locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50) return end
  const wide = await read(wideNumber(tail, locator + 8), 56)
  if (wide.length < 56 || wide.readUInt32LE(0) !== 0x06064b50) throw damaged()
  return { length: wideNumber(wide, 40), offset: wideNumber(wide, 48) }
}

/** Written in place of a number that does not fit in 32 bits. */
const WIDE = 0xffffffff

interface DirectoryEntry {
  name: string
  offset: number
  packedBytes: number
  bytes: number
  flags: number
  method: number
}

function parseDirectory(bytes: Buffer): DirectoryEntry[] {
  const found: DirectoryEntry[] = []
  for (let at = 0; at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50; ) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place))
    const extraAt = at + 46 + (nameBytes ?? 0)
    const next = extraAt + (extraBytes ?? 0) + (commentBytes ?? 0)
    if (next > bytes.length) throw damaged()
    const entry = {
      name: bytes.toString('utf8', at + 46, extraAt),
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      bytes: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    }
    found.push(widened(entry, bytes.subarray(extraAt, extraAt + (extraBytes ?? 0))))
    at = next
  }
  return found
}

/** Takes the numbers that do not fit in 32 bits from the extra field for them. */
function widened(entry: DirectoryEntry, extra: Buffer): DirectoryEntry {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let place = at + 4
    const take = (value: number): number => {
      if (value !== WIDE) return value
      if (place + 8 > extra.length) throw damaged()
      place += 8
      return wideNumber(extra, place - 8)
    }
    const bytes = take(entry.bytes)
    const packedBytes = take(entry.packedBytes)
    return { ...entry, bytes, packedBytes, offset: take(entry.offset) }
  }
  return entry
}

function wideNumber(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged()
  return Number(value)
}

const damaged = (): ImportUnreadable => new ImportUnreadable(reasonText('ZIP_DAMAGED'))
