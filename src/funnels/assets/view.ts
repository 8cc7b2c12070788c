import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { type Page, type Paged, paged } from '../../base/db/page'
import { linkBase } from '../../base/http/own-origin'
import { toIso } from '../../base/lib/time'
import { listRevisions } from '../../projects/audit/revisions'
import type { AssetReference } from './hooks'
import { assetPath, type StorageUsage } from './model'
import { type AssetRow, pageAssets } from './queries'
import { getAsset } from './service'
import { storageUsage } from './storage'

export type AssetView = ReturnType<typeof toView>

export interface AssetPage extends Paged<AssetView> {
  usage: StorageUsage
}

/** The newest first, with what shows them. */
export async function listAssetViews(ctx: Context, projectId: string, page: Page): Promise<AssetPage> {
  const { items, hasMore } = await paged(page, (limit) => pageAssets(ctx, projectId, { ...page, limit }))
  return { items: await viewsOf(ctx, projectId, items), hasMore, usage: await storageUsage(ctx, projectId) }
}

export async function getAssetView(ctx: Context, projectId: string, id: string): Promise<AssetView> {
  const [view] = await viewsOf(ctx, projectId, [await getAsset(ctx, projectId, id)])
  if (!view) throw new Error('an asset has no view')
  return view
}

async function viewsOf(ctx: Context, projectId: string, rows: readonly AssetRow[]): Promise<AssetView[]> {
  if (rows.length === 0) return []
  const users = await listUsers(ctx, projectId)
  const ids = rows.map(({ id }) => id)
  const revisions = await listRevisions(ctx, projectId, ids)
  return rows.map((row) => toView(ctx, row, users, revisions.get(row.id) ?? 1))
}

/** Everything that shows an asset of the project. */
export const listUsers = async (
  handle: Handle & Pick<Context, 'hooks'>,
  projectId: string,
): Promise<AssetReference[]> =>
  (await Promise.all((handle.hooks.assetUsers ?? []).map((usersOf) => usersOf(handle, projectId)))).flat()

/** An asset as its operators see it. */
const toView = (ctx: Context, row: AssetRow, users: readonly AssetReference[], revision: number) => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  contentType: row.contentType,
  bytes: row.bytes,
  storedBytes: row.storedBytes,
  width: row.width,
  height: row.height,
  widths: row.widths,
  url: linkBase(ctx) + assetPath(row),
  alt: row.alt,
  source: row.source,
  uploadedBy: row.uploadedBy.email,
  references: users.flatMap(({ assetId, ...user }) => (assetId === row.id ? [user] : [])),
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})
