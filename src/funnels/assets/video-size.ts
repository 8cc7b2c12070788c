/** Reads bytes of a file at an offset; fewer at its end. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>

interface Box {
  name: string
  /** Where its content starts and ends. */
  start: number
  end: number
}

/** The boxes of a file that are looked at, because each of them is a read of its own from the file storage. */
const MAX_BOXES = 200

/** The pixels of an MP4, from its first track with a picture (ISO/IEC 14496-12, `moov/trak/tkhd`). Null = not found. */
export async function mp4Size(readAt: ReadAt, bytes: number): Promise<{ width: number; height: number } | null> {
  let reads = 0
  const read: ReadAt = async (offset, length) => (++reads > MAX_BOXES ? Buffer.alloc(0) : readAt(offset, length))
  const moov = (await boxesIn(read, 0, bytes)).find(({ name }) => name === 'moov')
  if (!moov) return null
  for (const trak of (await boxesIn(read, moov.start, moov.end)).filter(({ name }) => name === 'trak')) {
    const header = (await boxesIn(read, trak.start, trak.end)).find(({ name }) => name === 'tkhd')
    const size = header && sizeIn(await read(header.start, 104))
    if (size) return size
  }
  return null
}

/** Width and height are the last two members of the header, as numbers with 16 binary places. */
function sizeIn(header: Buffer): { width: number; height: number } | null {
  const at = header[0] === 1 ? 88 : 76
  if (header.length < at + 8) return null
  const [width, height] = [header.readUInt32BE(at) >>> 16, header.readUInt32BE(at + 4) >>> 16]
  return width > 0 && height > 0 ? { width, height } : null
}

async function boxesIn(read: ReadAt, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= to; ) {
    const head = await read(at, 16)
    if (head.length < 8) break
    const short = head.readUInt32BE(0)
    const isLong = short === 1 && head.length === 16
    const size = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - at : short
    if (size < (isLong ? 16 : 8) || at + size > to) break
    boxes.push({ name: head.toString('latin1', 4, 8), start: at + (isLong ? 16 : 8), end: at + size })
    at += size
  }
  return boxes
}
