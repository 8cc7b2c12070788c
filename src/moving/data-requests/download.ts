import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { isDownloadReady } from './model'
import { type DataRequestRow, findRequest } from './queries'

/** A request of the project; 404 when there is none. */
export async function getRequest(ctx: Context, projectId: string, id: string): Promise<DataRequestRow> {
  const row = isRequestId(id) ? await findRequest(ctx, projectId, id) : null
  if (!row) throw notFound('request', id)
  return row
}

const isRequestId = (id: string): boolean => /^dsr_[0-9a-hjkmnp-tv-z]{26}$/.test(id)

/**
 * The artefact of a request: the zip of an export or the certificate of an erasure. 404 when it is not ready, its link
 * has ended, or it is gone.
 */
export async function downloadRequest(ctx: Context, projectId: string, id: string): Promise<Response> {
  const row = await getRequest(ctx, projectId, id)
  if (!isDownloadReady(row, ctx.clock.now())) throw notFound('file of the request', id)
  if (row.certificate !== null) return attachment(row.certificate, `dsar-${id}.jwt`)
  const [bytes, size] = await Promise.all([
    ctx.state.blobs.read(row.artefactKey ?? ''),
    ctx.state.blobs.size(row.artefactKey ?? ''),
  ])
  if (!bytes) throw notFound('file of the request', id)
  return attachment(bytes, `dsar-${id}.export`, size)
}

const attachment = (body: string | ReadableStream<Uint8Array>, fileName: string, size: number | null = null) =>
  new Response(body, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
      ...(size === null ? {} : { 'content-length': String(size) }),
    },
  })
