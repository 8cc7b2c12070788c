import type { Context } from '../../base/context'
import { streamOfParts } from '../../base/http/file-body'
import type { ProjectActor } from '../../projects/project/edit'
import { CONTENT_TYPES, VIDEO_HEADER_BYTES, videoFormatOf } from './formats'
import { folderOf, keyOf } from './model'
import { refuseFull } from './storage'
import { commit, hashOf, type Named, withFiles } from './store'
import { unsupported } from './unsupported'
import { withoutMetadata } from './video-metadata'
import { mp4Size } from './video-size'

/** Written as it arrives, because 50 MiB of several people are too much for the memory. */
export async function storeVideo(
  ctx: Context,
  by: ProjectActor,
  named: Named,
  parts: AsyncGenerator<Uint8Array>,
  declared: number | null,
): Promise<void> {
  const head = await firstParts(parts)
  const format = videoFormatOf(head)
  if (format === null) throw unsupported('video')
  await refuseFull(ctx, by.projectId, declared ?? head.length)
  const place = { projectId: by.projectId, id: named.id }
  await withFiles(ctx, folderOf(place), async () => {
    const cleaned = { hadMetadata: false }
    const stream = streamOfParts(withoutMetadata(format, chain(head, parts), cleaned))
    const { bytes, sha256 } = await ctx.state.blobs.write(keyOf(place, null), stream)
    const size = format === 'mp4' ? await mp4Size(readerOf(ctx, keyOf(place, null)), bytes) : null
    await commit(ctx, by, {
      ...{ ...named, contentType: CONTENT_TYPES[format], hash: hashOf(sha256), bytes, storedBytes: bytes },
      ...{ width: size?.width ?? null, height: size?.height ?? null, widths: [] },
      source: { format, bytes, ...cleaned },
    })
  })
}

async function firstParts(parts: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < VIDEO_HEADER_BYTES) {
    const { value, done } = await parts.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  return head
}

async function* chain(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head
  yield* rest
}

const readerOf =
  ({ state }: Context, key: string) =>
  async (offset: number, length: number): Promise<Buffer> => {
    const stream = await state.blobs.read(key, offset)
    const found: Uint8Array[] = []
    let bytes = 0
    for await (const part of stream ?? []) {
      found.push(part)
      bytes += part.length
      if (bytes >= length) break
    }
    return Buffer.concat(found).subarray(0, length)
  }
