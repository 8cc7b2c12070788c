import type { Context } from '../../../base/context'
import type { Page, Paged } from '../../../base/db/page'
import { notFound } from '../../../base/errors'
import { pageOf } from '../../../base/http/id-list'
import { toIso } from '../../../base/lib/time'
import { listRevisionsWith } from '../../audit/revisions'
import { type AccessRow, loadCatalog, type StoredCatalog } from '../queries'

export const toAccessView = (row: AccessRow, { products }: StoredCatalog) => ({
  id: row.id,
  identifier: row.identifier,
  displayName: row.displayName,
  description: row.description,
  metadata: row.metadata,
  /** How many products give it, inactive ones included. */
  productCount: products.filter(({ accessIds }) => accessIds.includes(row.id)).length,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type AccessView = ReturnType<typeof toAccessView> & { revision: number }

/** The newest first. */
export async function listAccess(ctx: Context, projectId: string, page: Page): Promise<Paged<AccessView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'acc')
  const rows = await loadCatalog(ctx, projectId)
  const { items, hasMore } = pageOf(rows.access, page)
  return { items: items.map((row) => ({ ...toAccessView(row, rows), revision: revisions.get(row.id) ?? 1 })), hasMore }
}

export async function getAccess(ctx: Context, projectId: string, id: string): Promise<AccessView> {
  const revisions = await listRevisionsWith(ctx, projectId, 'acc')
  const rows = await loadCatalog(ctx, projectId)
  const row = rows.access.find((each) => each.id === id)
  if (!row) throw notFound('access', id)
  return { ...toAccessView(row, rows), revision: revisions.get(id) ?? 1 }
}
