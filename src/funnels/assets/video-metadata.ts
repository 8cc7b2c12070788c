import type { VideoFormat } from './formats'
import { cleanMp4 } from './mp4-metadata'
import type { Cleaned } from './part-reader'
import { cleanWebm } from './webm-metadata'

/** The bytes of a video without the data about where, when and by whom it was made. Their number stays the same. */
export async function* withoutMetadata(
  format: VideoFormat,
  parts: AsyncGenerator<Uint8Array>,
  cleaned: Cleaned,
): AsyncGenerator<Uint8Array> {
  try {
    yield* format === 'mp4' ? cleanMp4(parts, cleaned) : cleanWebm(parts, cleaned)
  } finally {
    await parts.return(undefined) // A reader that stops early takes no more of the body.
  }
}
