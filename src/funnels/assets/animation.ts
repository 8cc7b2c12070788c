import type { PictureFormat } from './formats'

/** A part of a file, from its name on. */
interface Chunk {
  name: string
  /** Where the chunk starts and ends in the file, its frame included. */
  start: number
  end: number
}

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Whether a picture has more than one frame. */
export function isAnimated(bytes: Uint8Array, format: PictureFormat): boolean {
  if (format === 'gif') return gifBlocks(bytes).filter(({ name }) => name === 'image').length > 1
  if (format === 'webp') return webpChunks(bytes).some(({ name }) => name === 'ANIM' || name === 'ANMF')
  return format === 'png' && pngChunks(bytes).some(({ name }) => name === 'acTL')
}

/** An animated picture without the data about where and with what it was made. */
export function withoutMetadata(bytes: Uint8Array, format: PictureFormat): Uint8Array {
  if (format === 'png') return joined(bytes, 8, pngChunks(bytes), (name) => PNG_METADATA.has(name))
  if (format === 'gif') return joined(bytes, gifHead(bytes), gifBlocks(bytes), (name) => !GIF_SHOWN.has(name))
  if (format !== 'webp') return bytes
  const clean = joined(bytes, 12, webpChunks(bytes), (name) => name === 'EXIF' || name === 'XMP ')
  const buffer = view(clean)
  buffer.writeUInt32LE(clean.length - 8, 4)
  // The flags of the extended header say which chunks follow: EXIF is bit 3, XMP is bit 2.
  if (buffer.toString('latin1', 12, 16) === 'VP8X') buffer[20] = (buffer[20] ?? 0) & ~0x0c
  return clean
}

/** Whether a picture has data about where and with what it was made. */
export function hasMetadata(bytes: Uint8Array): boolean {
  const buffer = view(bytes)
  return MARKS.some((mark) => buffer.includes(mark, 0, 'latin1'))
}

const MARKS = ['Exif\0\0', 'eXIf', 'EXIF', 'http://ns.adobe.com/xap/1.0/', 'Photoshop 3.0', 'tEXt', 'iTXt']
const PNG_METADATA = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME'])

function joined(bytes: Uint8Array, head: number, chunks: readonly Chunk[], isLeftOut: (name: string) => boolean) {
  const kept = chunks.filter(({ name }) => !isLeftOut(name))
  return new Uint8Array(
    Buffer.concat([bytes.subarray(0, head), ...kept.map(({ start, end }) => bytes.subarray(start, end))]),
  )
}

/** Up to the first chunk that does not fit into the file. */
function pngChunks(bytes: Uint8Array): Chunk[] {
  const buffer = view(bytes)
  const chunks: Chunk[] = []
  for (let start = 8; start + 12 <= buffer.length; ) {
    const end = start + 12 + buffer.readUInt32BE(start)
    if (end > buffer.length) break
    chunks.push({ name: buffer.toString('latin1', start + 4, start + 8), start, end })
    start = end
  }
  return chunks
}

function webpChunks(bytes: Uint8Array): Chunk[] {
  const buffer = view(bytes)
  const chunks: Chunk[] = []
  for (let start = 12; start + 8 <= buffer.length; ) {
    const size = buffer.readUInt32LE(start + 4)
    const end = start + 8 + size + (size % 2)
    if (end > buffer.length) break
    chunks.push({ name: buffer.toString('latin1', start, start + 4), start, end })
    start = end
  }
  return chunks
}

const GIF_EXTENSION = 0x21
const GIF_IMAGE = 0x2c

const GIF_APPLICATION = 0xff
const GIF_TRAILER = 0x3b

/** The blocks of a GIF that a browser shows: its frames, how long each stays, how often they repeat, and its end. */
const GIF_SHOWN = new Set(['image', 'f9', 'ff NETSCAPE2.0', 'ff ANIMEXTS1.0', 'end'])

const tableBytes = (flags = 0): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** Where the first block starts. */
const gifHead = (bytes: Uint8Array): number => 13 + tableBytes(bytes[10])

/** Up to the end that the GIF says itself; an extension is named by its label, and one of an application by that, too. */
function gifBlocks(bytes: Uint8Array): Chunk[] {
  const blocks: Chunk[] = []
  for (let start = gifHead(bytes); start < bytes.length; ) {
    const { name, end } = gifBlock(bytes, start)
    if (name === '') break
    blocks.push({ name, start, end: Math.min(end, bytes.length) })
    if (name === 'end') break
    start = end
  }
  return blocks
}

function gifBlock(bytes: Uint8Array, start: number): Pick<Chunk, 'name' | 'end'> {
  const kind = bytes[start]
  if (kind === GIF_IMAGE) return { name: 'image', end: afterBlocks(bytes, start + 11 + tableBytes(bytes[start + 9])) }
  if (kind === GIF_TRAILER) return { name: 'end', end: start + 1 }
  if (kind !== GIF_EXTENSION) return { name: '', end: start }
  const label = bytes[start + 1] ?? 0
  const application = label === GIF_APPLICATION ? ` ${view(bytes).toString('latin1', start + 3, start + 14)}` : ''
  return { name: label.toString(16) + application, end: afterBlocks(bytes, start + 2) }
}

/** Where the data blocks end that start here: each has its length before it, the last one is empty. */
function afterBlocks(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1
  return at + 1
}
