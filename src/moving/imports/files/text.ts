import { Buffer } from 'node:buffer'
import type { Blobs } from '../../../base/blobs/blobs'
import { reasonText } from '../../../core/reason/reasons'
import type { ImportFile } from '../model'
import { ImportUnreadable } from './faults'
import { gunzip, inflateRaw } from './unpack'
import { utf16OrderOf, utf16ToUtf8 } from './utf16'
import { findContent } from './zip'

const UTF8_MARK = [0xef, 0xbb, 0xbf]

/**
 * The text of a file in UTF-8, without its byte order mark, from an offset on. A text that lies as it is in its blob is
 * read from there; any other from its start.
 */
export async function* openText(blobs: Blobs, file: ImportFile, offset = 0): AsyncGenerator<Uint8Array> {
  const isPlain = file.packing === undefined
  const first = isPlain ? await readRange(blobs, file.key, 0, 3) : null
  if (first && utf16OrderOf(first) === null) return yield* readBlob(blobs, file.key, offset + markLength(first))
  yield* behind(decoded(unpacked(blobs, file)), offset)
}

async function* unpacked(blobs: Blobs, { key, packing }: ImportFile): AsyncGenerator<Uint8Array> {
  if (packing === undefined) return yield* readBlob(blobs, key, 0)
  if (packing === 'GZIP') return yield* gunzip(readBlob(blobs, key, 0))
  const start = await findContent((from, length) => readRange(blobs, key, from, length), packing)
  const content = firstBytes(readBlob(blobs, key, start), packing.packedBytes)
  yield* packing.isDeflated ? inflateRaw(content, packing.bytes) : content
}

/** Without the mark of UTF-8, and UTF-16 as UTF-8. */
async function* decoded(parts: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const [first, all] = await peek(parts, 3)
  const order = utf16OrderOf(first)
  if (order !== null) yield* utf16ToUtf8(all, order)
  else yield* behind(all, markLength(first))
}

const markLength = (first: Uint8Array): number => (UTF8_MARK.every((byte, at) => first[at] === byte) ? 3 : 0)

/** The first bytes, and all parts with them. */
async function peek(
  parts: AsyncGenerator<Uint8Array>,
  length: number,
): Promise<[first: Uint8Array, all: AsyncGenerator<Uint8Array>]> {
  let first: Uint8Array = new Uint8Array(0)
  while (first.length < length) {
    const { value, done } = await parts.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  const held = first
  async function* all(): AsyncGenerator<Uint8Array> {
    if (held.length > 0) yield held
    yield* parts
  }
  return [held, all()]
}

async function* behind(parts: AsyncIterable<Uint8Array>, offset: number): AsyncGenerator<Uint8Array> {
  let left = offset
  for await (const part of parts) {
    if (part.length > left) yield left === 0 ? part : part.subarray(left)
    left = Math.max(0, left - part.length)
  }
}

async function* firstBytes(parts: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let left = length
  if (left === 0) return
  for await (const part of parts) {
    yield part.length > left ? part.subarray(0, left) : part
    left -= Math.min(left, part.length)
    if (left === 0) return
  }
}

async function* readBlob(blobs: Blobs, key: string, from: number): AsyncGenerator<Uint8Array> {
  const stream = await blobs.read(key, from)
  if (!stream) throw new ImportUnreadable(reasonText('FILE_GONE'))
  yield* stream
}

/** Bytes of a blob; fewer at its end. */
export async function readRange(blobs: Blobs, key: string, from: number, length: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of firstBytes(readBlob(blobs, key, from), length)) parts.push(part)
  return Buffer.concat(parts)
}
