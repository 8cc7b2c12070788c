import { blanked, type Cleaned, PartReader } from './part-reader'

/** Boxes with other boxes in them that are looked into (ISO/IEC 14496-12). */
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'moof', 'traf'])
/** Containers in each other that are looked into; a video has three. Each one takes memory until its end. */
const MAX_DEPTH = 16
/** Boxes with the place, the camera, the people and other words about a video. Players need none of them. */
const METADATA = new Set(['udta', 'meta'])
/** Boxes that start with the instants at which the video was made and changed. */
const DATED = new Set(['mvhd', 'tkhd', 'mdhd'])

interface Box {
  head: Buffer
  /** Empty for a head that is none. */
  name: string
  /** Without its head; to the end of the file, it is infinite. */
  bytes: number
}

interface Container {
  end: number
  isFragment: boolean
}

/**
 * An MP4 with empty boxes (`free`) in place of its metadata. Every byte stays where it was, because the tables of a video
 * name the places of its pictures. What comes behind a damaged box is left as it is.
 */
export async function* cleanMp4(parts: AsyncGenerator<Uint8Array>, cleaned: Cleaned): AsyncGenerator<Uint8Array> {
  const reader = new PartReader(parts)
  const around: Container[] = []
  for (;;) {
    while (reader.position === around.at(-1)?.end) around.pop()
    const left = (around.at(-1)?.end ?? Number.POSITIVE_INFINITY) - reader.position
    const box = await nextBox(reader, left)
    if (box.head.length === 0) return
    const isDamaged = box.name === '' || box.bytes > left - box.head.length
    if (!isDamaged && CONTAINERS.has(box.name) && around.length < MAX_DEPTH) {
      yield box.head
      const isFragment = box.name === 'moof' || around.at(-1)?.isFragment === true
      around.push({ end: reader.position + box.bytes, isFragment })
    } else yield* cleanBox(reader, isDamaged ? damaged(box) : box, around.at(-1)?.isFragment ?? false, cleaned)
  }
}

const damaged = ({ head }: Box): Box => ({ head, name: '', bytes: Number.POSITIVE_INFINITY })

/** Without any bytes at the end of the file. What is left of a container can be too short for a box: it is padding. */
async function nextBox(reader: PartReader, left: number): Promise<Box> {
  if (left < 8) return { head: await reader.take(left), name: 'free', bytes: 0 }
  const short = await reader.take(8)
  const size = short.length < 8 ? 2 : short.readUInt32BE(0)
  const head = size === 1 ? Buffer.concat([short, await reader.take(8)]) : short
  const bytes = size === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) - 16 : size - 8
  const name = head.toString('latin1', 4, 8)
  if (size === 0) return { head, name, bytes: Number.POSITIVE_INFINITY }
  return bytes < 0 ? damaged({ head, name, bytes }) : { head, name, bytes }
}

async function* cleanBox(reader: PartReader, { head, name, bytes }: Box, isFragment: boolean, cleaned: Cleaned) {
  // `uuid` is a box of another maker. Around a video it describes it; in a fragment it can be needed to play it.
  const isMetadata = METADATA.has(name) || (name === 'uuid' && !isFragment)
  if (isMetadata) {
    cleaned.hadMetadata ||= bytes > 0
    head.write('free', 4, 'latin1')
  }
  yield head
  if (isMetadata) yield* blanked(reader, bytes)
  else if (DATED.has(name)) yield* undated(reader, bytes)
  else yield* reader.pieces(bytes)
}

/** Zero means an unknown instant. In version 1, each of the two has 8 bytes in place of 4. */
async function* undated(reader: PartReader, bytes: number): AsyncGenerator<Uint8Array> {
  const start = await reader.take(Math.min(20, bytes))
  if (start.length === 20) start.fill(0, 4, start[0] === 1 ? 20 : 12)
  yield start
  yield* reader.pieces(bytes - start.length)
}
