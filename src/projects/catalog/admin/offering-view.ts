import type { Context } from '../../../base/context'
import type { Page, Paged } from '../../../base/db/page'
import { notFound } from '../../../base/errors'
import { pageOf } from '../../../base/http/id-list'
import { toIso } from '../../../base/lib/time'
import { listRevisionsWith } from '../../audit/revisions'
import { loadCatalog, type OfferingRow } from '../queries'

export const toOfferingAdminView = (row: OfferingRow) => ({
  id: row.id,
  identifier: row.identifier,
  isDefault: row.isDefault,
  packages: row.packages,
  metadata: row.metadata,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type OfferingAdminView = ReturnType<typeof toOfferingAdminView> & { revision: number }

/** The newest first. */
export async function listOfferings(ctx: Context, projectId: string, page: Page): Promise<Paged<OfferingAdminView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'off')
  const { items, hasMore } = pageOf((await loadCatalog(ctx, projectId)).offerings, page)
  return { items: items.map((row) => ({ ...toOfferingAdminView(row), revision: revisions.get(row.id) ?? 1 })), hasMore }
}

export async function getOffering(ctx: Context, projectId: string, id: string): Promise<OfferingAdminView> {
  const revisions = await listRevisionsWith(ctx, projectId, 'off')
  const row = (await loadCatalog(ctx, projectId)).offerings.find((each) => each.id === id)
  if (!row) throw notFound('offering', id)
  return { ...toOfferingAdminView(row), revision: revisions.get(id) ?? 1 }
}
