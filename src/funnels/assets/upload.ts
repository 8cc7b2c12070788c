import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { fileBody } from '../../base/http/file-body'
import { MINUTE } from '../../base/lib/clock'
import type { AssetKind } from '../../core/funnel/files'
import type { ProjectActor } from '../../projects/project/edit'
import { pictureFormatOf } from './formats'
import { prepareLottie } from './lottie'
import { isAssetName, MAX_BYTES } from './model'
import { preparePicture } from './picture'
import { refuseFull, refuseUnusable } from './storage'
import { type Given, storePrepared } from './store'
import { storeVideo } from './store-video'
import { unsupported } from './unsupported'
import { type AssetView, getAssetView } from './view'

/** A file as it arrives. */
export interface Upload {
  name: string | undefined
  /** As declared; null = not. */
  bytes: number | null
  body: AsyncIterable<Uint8Array>
  /** Ends a wait when the sender has gone. Absent: the sender stays. */
  signal?: AbortSignal
}

/**
 * Stores a file and makes an asset of it. Refusals in the order of wire 7.7: 503 `ASSET_STORAGE_UNAVAILABLE`, 400
 * `ASSET_INVALID_NAME`, 413 `ASSET_FILE_TOO_LARGE`, 400 `ASSET_FORMAT_UNSUPPORTED`, 402 `ASSET_QUOTA_EXCEEDED`, 400
 * `ASSET_PROCESSING_FAILED`. 408 when the file does not arrive in time, 429 `RATE_LIMITED` and 503 `QUEUE_UNAVAILABLE`
 * when too many files are in work. A refused file leaves nothing.
 */
export async function uploadAsset(
  ctx: Context,
  by: ProjectActor,
  kind: AssetKind,
  { name, bytes, body, signal }: Upload,
): Promise<AssetView> {
  await refuseUnusable(ctx)
  if (name === undefined || !isAssetName(name)) throw new AppError('ASSET_INVALID_NAME')
  if ((bytes ?? 0) > MAX_BYTES[kind]) throw tooLarge(kind)
  const parts = fileBody(body, MAX_BYTES[kind], () => tooLarge(kind), ARRIVAL_MS[kind])
  const given = { id: ctx.ids.next('ast'), kind, name }
  if (kind === 'video') await storeVideo(ctx, by, given, parts, bytes)
  else
    await ctx.state.uploadQueue.run(by.projectId, signal, async () => {
      await storePrepared(ctx, by, given, await prepare(ctx, by.projectId, kind, await collect(parts)))
    })
  return getAssetView(ctx, by.projectId, given.id)
}

/** From the first read of a file to its last byte. */
const ARRIVAL_MS: Readonly<Record<AssetKind, number>> = { image: 2 * MINUTE, lottie: 2 * MINUTE, video: 10 * MINUTE }

const tooLarge = (kind: AssetKind): AppError => {
  const message = `This file is too large; a file of this kind has at most ${MAX_BYTES[kind] / 1024 / 1024} MiB`
  return new AppError('ASSET_FILE_TOO_LARGE', undefined, { message })
}

async function collect(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

async function prepare(ctx: Context, projectId: string, kind: AssetKind, bytes: Uint8Array): Promise<Given> {
  const format = kind === 'image' ? pictureFormatOf(bytes) : null
  const lottie = kind === 'lottie' ? prepareLottie(bytes) : null
  if (format === null && lottie === null) throw unsupported(kind)
  await refuseFull(ctx, projectId, bytes.length)
  const prepared = format === null ? lottie : await preparePicture(bytes, format, ctx.state.decodingMemory)
  if (prepared === null) throw unsupported(kind)
  return { ...prepared, sourceBytes: bytes.length }
}
