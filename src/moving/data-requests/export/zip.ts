import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of a zip. Its bytes are read when its turn comes. */
export interface ZipEntry {
  name: string
  bytes: AsyncIterable<Uint8Array>
}

const SIGNATURES = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 } as const
/** Unpacked by version 2.0 of the format, with sizes behind the data, and names in UTF-8. */
const VERSION = 20
const FLAGS = 0x0808
const DEFLATED = 8
/** Beyond this the format needs other records, which this writer does not write. */
const MAX_BYTES = 0xffff_ffff

interface Written {
  name: Buffer
  crc: number
  packed: number
  unpacked: number
  offset: number
}

/**
 * The bytes of a zip. Whatever the size of its files, only a part of one of them is in memory. `at`: in milliseconds.
 */
export async function* zip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>, at: number): AsyncGenerator<Buffer> {
  const stamp = dosTime(at)
  const written: Written[] = []
  let offset = 0
  for await (const { name: text, bytes } of entries) {
    const entry: Written = { name: Buffer.from(text), crc: 0, packed: 0, unpacked: 0, offset }
    for await (const part of entryParts(entry, bytes, stamp)) {
      offset += part.byteLength
      yield part
    }
    if (Math.max(offset, entry.unpacked) > MAX_BYTES) throw new RangeError('the zip is larger than 4 GiB')
    written.push(entry)
  }
  const directory = Buffer.concat(written.map((entry) => centralRecord(entry, stamp)))
  yield directory
  yield endRecord(written.length, directory.byteLength, offset)
}

/** Fills in sizes and checksum of the entry on the way. */
async function* entryParts(entry: Written, bytes: AsyncIterable<Uint8Array>, stamp: number): AsyncGenerator<Buffer> {
  yield Buffer.concat([
    record(SIGNATURES.local, [VERSION, FLAGS, DEFLATED], [stamp, 0, 0, 0], [entry.name.length, 0]),
    entry.name,
  ])
  for await (const part of deflated(counted(entry, bytes))) {
    entry.packed += part.byteLength
    yield part
  }
  yield record(SIGNATURES.descriptor, [], [entry.crc, entry.packed, entry.unpacked], [])
}

async function* counted(entry: Written, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    entry.crc = crc32(part, entry.crc)
    entry.unpacked += part.byteLength
    yield part
  }
}

async function* deflated(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const stream = createDeflateRaw()
  const fed = feed(stream, bytes)
  try {
    yield* stream
  } finally {
    await fed
  }
}

async function feed(stream: ReturnType<typeof createDeflateRaw>, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  // The reader may stop early, and then nothing drains the stream any more.
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()))
  try {
    for await (const part of bytes) {
      if (stream.destroyed) return
      if (stream.write(part)) continue
      await Promise.race([closed, new Promise<void>((resolve) => stream.once('drain', () => resolve()))])
    }
    stream.end()
  } catch (error) {
    stream.destroy(error as Error) // The reader of the stream gets it.
  }
}

const centralRecord = ({ name, crc, packed, unpacked, offset }: Written, stamp: number): Buffer =>
  Buffer.concat([
    record(
      SIGNATURES.central,
      [VERSION, VERSION, FLAGS, DEFLATED],
      [stamp, crc, packed, unpacked],
      [name.length, 0, 0, 0, 0, 0, 0, offset & 0xffff, offset >>> 16],
    ),
    name,
  ])

const endRecord = (count: number, size: number, offset: number): Buffer =>
  record(SIGNATURES.end, [0, 0, count, count], [size, offset], [0])

/** The signature, then 16-bit numbers, then 32-bit numbers, then 16-bit numbers, all with the lowest byte first. */
function record(signature: number, first: readonly number[], wide: readonly number[], last: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 + 2 * first.length + 4 * wide.length + 2 * last.length)
  let at = buffer.writeUInt32LE(signature)
  for (const value of first) at = buffer.writeUInt16LE(value, at)
  for (const value of wide) at = buffer.writeUInt32LE(value, at)
  for (const value of last) at = buffer.writeUInt16LE(value, at)
  return buffer
}

/** Time and date of the format, in UTC, to two seconds. */
function dosTime(at: number): number {
  const date = new Date(at)
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  return ((day << 16) | time) >>> 0
}
