import { blanked, type Cleaned, PartReader } from './part-reader'

/** Elements that are looked into (RFC 9559). A cluster is one only where it does not say how long it is. */
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const CLUSTER = 0x1f43b675

/** Names, instants, people, places and attached files. The checksum is of bytes that change here. */
const METADATA = new Set([
  0x1254c367, // Tags
  0x1941a469, // Attachments
  0x7ba9, // Title
  0x4461, // DateUTC
  0x7384, // SegmentFilename
])
const CHECKSUM = 0xbf
const VOID = 0xec

interface Element {
  head: Buffer
  /** 0 for a head that is none. */
  id: number
  /** Without its head; null = it does not say. */
  bytes: number | null
}

/**
 * A WebM with `Void` elements in place of its metadata. Every byte stays where it was, because the index of a video names
 * the places of its clusters. What comes behind a damaged element is left as it is.
 */
export async function* cleanWebm(parts: AsyncGenerator<Uint8Array>, cleaned: Cleaned): AsyncGenerator<Uint8Array> {
  const reader = new PartReader(parts)
  for (;;) {
    const element = await nextElement(reader)
    if (element.head.length === 0) return
    const { head, id, bytes } = element
    const isMetadata = METADATA.has(id)
    if ((isMetadata || id === CHECKSUM) && bytes !== null) {
      cleaned.hadMetadata ||= isMetadata && bytes > 0
      yield* emptied(reader, head, bytes)
    } else {
      yield head
      if (!isLookedInto(element)) yield* reader.pieces(bytes ?? Number.POSITIVE_INFINITY)
    }
  }
}

const isLookedInto = ({ id, bytes }: Element): boolean =>
  id === SEGMENT || id === INFO || (id === CLUSTER && bytes === null)

/** Without any bytes at the end of the file. */
async function nextElement(reader: PartReader): Promise<Element> {
  const first = await reader.take(1)
  const idLength = Math.clz32(first[0] ?? 0) - 23
  if (first.length === 0 || idLength > 4) return { head: first, id: 0, bytes: null }
  const name = Buffer.concat([first, await reader.take(idLength - 1)])
  const mark = await reader.take(1)
  const sizeLength = Math.clz32(mark[0] ?? 0) - 23
  const size = sizeLength > 8 ? mark : Buffer.concat([mark, await reader.take(sizeLength - 1)])
  const head = Buffer.concat([name, size])
  if (sizeLength > 8 || size.length < sizeLength) return { head, id: 0, bytes: null }
  return { head, id: name.readUIntBE(0, idLength), bytes: sizeOf(size) }
}

/** The bits behind the mark of the length; all of them set = unknown. */
function sizeOf(size: Buffer): number | null {
  const bits = 7 * size.length
  const value = BigInt.asUintN(bits, BigInt(`0x${size.toString('hex')}`))
  return value === (1n << BigInt(bits)) - 1n ? null : Number(value)
}

/** A `Void` of the same length as the whole element; its own size takes the bytes that the longer id leaves. */
async function* emptied(reader: PartReader, head: Buffer, bytes: number): AsyncGenerator<Uint8Array> {
  const sizeLength = Math.min(head.length - 1, 8)
  const filler = head.length - 1 - sizeLength
  const size = BigInt(bytes + filler) | (1n << BigInt(7 * sizeLength))
  yield Buffer.concat([Buffer.from([VOID]), Buffer.from(size.toString(16).padStart(2 * sizeLength, '0'), 'hex')])
  yield new Uint8Array(filler)
  yield* blanked(reader, bytes)
}
