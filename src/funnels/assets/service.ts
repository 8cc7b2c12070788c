import { fileAnswer } from '../../base/blobs/file-answer'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { missing, notFound } from '../../base/errors'
import type { ShownAsset } from '../../core/funnel/files'
import { assetPath, keyOf } from './model'
import { type AssetRow, findAsset, listAssets, listAssetsById } from './queries'
import { withStorage } from './storage'

/** What publishing has to know of every file of a project, by id. */
export { listKnown as listKnownAssets } from './queries'

/** The path of a picture of the project; null = the project has no such picture. */
export async function picturePath(handle: Handle, projectId: string, id: string): Promise<string | null> {
  const row = ASSET_ID.test(id) ? await findAsset(handle, projectId, id) : null
  return row?.kind === 'image' ? assetPath(row) : null
}

/** The stored files of a project, with what their rows know of their bytes. */
export async function assetFiles(handle: Handle, projectId: string) {
  const rows = await listAssets(handle, projectId)
  return rows.flatMap((row) => [
    { key: keyOf(row, null), sha256: row.hash },
    ...row.widths.map((width) => ({ key: keyOf(row, width), sha256: null })),
  ])
}

const ASSET_ID = /^ast_[0-9a-z]{26}$/

/** The asset, or 404. */
export async function getAsset(handle: Handle, projectId: string, id: string): Promise<AssetRow> {
  const row = ASSET_ID.test(id) ? await findAsset(handle, projectId, id) : null
  if (!row) throw notFound('asset', id)
  return row
}

/** Those of the files that the project has, as pages show them. */
export async function shownAssets(
  handle: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, ShownAsset>> {
  const rows = await listAssetsById(handle, projectId, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, toShown(row)]))
}

export const toShown = (row: AssetRow): ShownAsset => ({
  kind: row.kind,
  url: assetPath(row),
  width: row.width,
  height: row.height,
  widths: row.widths,
  alt: row.alt,
})

interface Address {
  projectId: string
  assetId: string
  hash: string
}

/** The bytes at an address, in the largest form that is at most as wide as wanted; 404 for any part that is wrong. */
export async function serveAsset(
  ctx: Context,
  request: Request,
  { projectId, assetId, hash }: Address,
  wanted: number | null,
): Promise<Response> {
  const row = await getAsset(ctx, projectId, assetId)
  if (row.hash !== hash || !(await ctx.state.projects.find(projectId))) throw notFound('asset', assetId)
  const width = wanted !== null && row.widths.includes(wanted) ? wanted : null
  const etag = `"${width === null ? hash : `${hash}-${width}`}"`
  const served = { key: keyOf(row, width), contentType: row.contentType, etag }
  const answer = await withStorage(() => fileAnswer(ctx.state.blobs, request, served))
  if (answer === null) throw missing('The bytes of this asset are gone; upload it again')
  return answer
}
