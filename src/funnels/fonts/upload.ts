import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { fileBody } from '../../base/http/file-body'
import { MINUTE } from '../../base/lib/clock'
import type { FontStyle } from '../../core/funnel/files'
import type { ProjectActor } from '../../projects/project/edit'
import { refuseUnusable } from '../assets/storage'
import { MAX_FACE_BYTES } from './model'
import type { FaceRow } from './queries'
import { getFamily } from './service'
import { type FontFault, fontFormatOf, isFontFault } from './sfnt'
import { refuseTooMany, storeFace } from './store-face'
import { toFaceView } from './view'

export interface FaceUpload {
  weight: number
  style: FontStyle
  /** As declared; null = not. */
  bytes: number | null
  body: AsyncIterable<Uint8Array>
  /** Ends a wait when the sender has gone. Absent: the sender stays. */
  signal?: AbortSignal
}

/**
 * Adds a face to a family, or replaces the one with the same weight and style. Refusals: 503
 * `ASSET_STORAGE_UNAVAILABLE`, 404 `FONT_FAMILY_NOT_FOUND`, 400 `FONT_FILE_TOO_LARGE`, `FONT_FORMAT_UNSUPPORTED`,
 * `FONT_QUOTA_EXCEEDED`. 408 when the file does not arrive in time, 429 `RATE_LIMITED` and 503 `QUEUE_UNAVAILABLE` when
 * too many files are in work. A refused file leaves nothing.
 */
export async function uploadFace(ctx: Context, by: ProjectActor, familyId: string, upload: FaceUpload) {
  await refuseUnusable(ctx)
  await getFamily(ctx, by.projectId, familyId)
  const row = await ctx.state.uploadQueue.run(by.projectId, upload.signal, () => addFace(ctx, by, familyId, upload))
  return toFaceView(ctx, row)
}

async function addFace(ctx: Context, by: ProjectActor, familyId: string, upload: FaceUpload): Promise<FaceRow> {
  const { weight, style } = upload
  const bytes = await collect(upload)
  const format = fontFormatOf(bytes)
  if (isFontFault(format)) throw unsupported(format)
  await refuseTooMany(ctx, by.projectId, { familyId, weight, style })
  const made = await ctx.state.fontThread.make({ bytes, format })
  if ('fault' in made) throw unsupported(made.fault)
  const id = ctx.ids.next('ffc')
  const files = { original: bytes, woff2: made.woff2, 'latin.woff2': made.latin }
  return storeFace(ctx, by, { id, familyId, weight, style, format }, files)
}

/** From the first read of a file to its last byte. */
const ARRIVAL_MS = 2 * MINUTE

async function collect({ bytes, body }: FaceUpload): Promise<Uint8Array> {
  if ((bytes ?? 0) > MAX_FACE_BYTES) throw new AppError('FONT_FILE_TOO_LARGE')
  const tooLarge = () => new AppError('FONT_FILE_TOO_LARGE')
  const parts: Uint8Array[] = []
  for await (const part of fileBody(body, MAX_FACE_BYTES, tooLarge, ARRIVAL_MS)) parts.push(part)
  return Buffer.concat(parts)
}

const SENTENCES: Readonly<Record<FontFault, string>> = {
  unknown_format: 'This is no font that can be used; send OTF, TTF or WOFF2',
  woff1: 'WOFF of the first version is not taken; send OTF, TTF or WOFF2',
  collection: 'This is a collection of fonts; send each of them as a file of its own',
  broken: 'The font cannot be read; it may be cut off or damaged',
  too_slow: 'The font takes too long to be packed; send one with fewer letters, or one that is not variable',
  embedding_forbidden: 'The licence in this font forbids embedding it in pages; ask its maker for one that allows it',
}

const unsupported = (reason: FontFault): AppError =>
  new AppError('FONT_FORMAT_UNSUPPORTED', { reason }, { message: SENTENCES[reason] })
