import { AppError } from '../../base/errors'
import { MAX_SIDE, SMALLER_WIDTHS } from '../../core/funnel/files'
import { hasMetadata, isAnimated, withoutMetadata } from './animation'
import type { DecodingMemory } from './decoding-memory'
import { CONTENT_TYPES, type PictureFormat } from './formats'

const MB = 1024 * 1024
const MAX_ANIMATED_BYTES = 2 * MB
/** Larger pictures are refused by their header. */
const MAX_PIXELS = 50_000_000
const PIXEL_BYTES = 4
/** The memory for all pictures that are decoded at the same time: one of the largest, or many small ones. */
export const DECODING_BYTES = MAX_PIXELS * PIXEL_BYTES
const QUALITY = 82

/** The forms of a file that are stored. */
export interface Prepared {
  contentType: string
  main: Uint8Array
  /** By their widths. */
  smaller: ReadonlyMap<number, Uint8Array>
  width: number | null
  height: number | null
  format: string
  hadMetadata: boolean
}

/**
 * Makes a WebP of at most 2048 pixels and the smaller ones of it, turned upright and without metadata. An animated
 * picture is kept, because only its first frame could be converted. 400 `ASSET_PROCESSING_FAILED`.
 */
export async function preparePicture(
  bytes: Uint8Array,
  format: PictureFormat,
  memory: DecodingMemory,
): Promise<Prepared> {
  const given = await sizeOf(bytes)
  return memory.run(given.width * given.height * PIXEL_BYTES, () => convert(bytes, format, given))
}

async function convert(bytes: Uint8Array, format: PictureFormat, given: Size): Promise<Prepared> {
  const about = { format, hadMetadata: hasMetadata(bytes) }
  if (isAnimated(bytes, format)) return { ...about, ...given, ...(await keepAnimated(bytes, format)) }
  const main = await toWebp(bytes, MAX_SIDE)
  const size = await sizeOf(main)
  return { contentType: CONTENT_TYPES.webp, main, smaller: await smallerOf(main, size.width), ...size, ...about }
}

async function keepAnimated(bytes: Uint8Array, format: PictureFormat) {
  if (bytes.length > MAX_ANIMATED_BYTES)
    throw failed('animated_too_large', 'An animated picture has at most 2 MiB; send it as a video')
  await toWebp(bytes, MAX_SIDE) // Proves that at least its first frame can be read.
  const main = withoutMetadata(bytes, format)
  const hadMetadata = main.length < bytes.length
  return { contentType: CONTENT_TYPES[format], main, smaller: new Map<number, Uint8Array>(), hadMetadata }
}

async function smallerOf(main: Uint8Array, width: number): Promise<Map<number, Uint8Array>> {
  const smaller = new Map<number, Uint8Array>()
  for (const wanted of SMALLER_WIDTHS) if (wanted < width) smaller.set(wanted, await toWebp(main, wanted))
  return smaller
}

interface Size {
  width: number
  height: number
}

async function sizeOf(bytes: Uint8Array): Promise<Size> {
  const { width, height } = await reading(() => new Bun.Image(bytes).metadata())
  if (width * height > MAX_PIXELS)
    throw failed('too_many_pixels', `The picture has ${width} × ${height} pixels; at most 50 million are read`)
  return { width, height }
}

const toWebp = (bytes: Uint8Array, width: number): Promise<Uint8Array> =>
  reading(() =>
    new Bun.Image(bytes, { maxPixels: MAX_PIXELS })
      .resize(width, MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .bytes(),
  )

async function reading<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_IMAGE_TOO_MANY_PIXELS')
      throw failed('too_many_pixels', 'The picture has more than 50 million pixels')
    throw failed('unreadable', 'The picture cannot be read; it may be cut off or damaged', error)
  }
}

const failed = (reason: string, message: string, cause?: unknown): AppError =>
  new AppError('ASSET_PROCESSING_FAILED', { reason }, { message, cause })
