import type { Handle } from '../../../base/db/handle'
import { type Paged, paged } from '../../../base/db/page'
import { toIso } from '../../../base/lib/time'
import type { FunnelContent, FunnelStatus, GivenSettings } from '../../../core/funnel/model'
import { givenSettings } from '../../../core/funnel/settings-form'
import { listRevisions, listRevisionsWith, revisionAfter } from '../../../projects/audit/revisions'
import { listOfferingNames } from '../../../projects/catalog/service'
import type { Edit } from '../../../projects/project/edit'
import { type FunnelPageOf, type FunnelRow, pageFunnels } from '../queries'
import { getFunnel } from '../service'

/** A funnel as its operators see it. */
export interface FunnelView {
  id: string
  slug: string
  name: string
  status: FunnelStatus
  draft: { pages: FunnelContent['pages']; theme: FunnelContent['theme']; settings: GivenSettings }
  currentVersionNo: number | null
  defaultLocale: string
  locales: readonly string[]
  revision: number
  createdAt: string
  updatedAt: string
}

/** The newest first. Only the drafts of the page are read: each may have half a megabyte. */
export async function listFunnelViews(
  handle: Handle,
  projectId: string,
  page: FunnelPageOf,
): Promise<Paged<FunnelView>> {
  const revisions = await listRevisionsWith(handle, projectId, 'fnl')
  const [{ items, hasMore }, offerings] = await Promise.all([
    paged(page, (limit) => pageFunnels(handle, projectId, { ...page, limit })),
    listOfferingNames(handle, projectId),
  ])
  return { items: items.map((row) => toView(row, offerings, revisions.get(row.id) ?? 1)), hasMore }
}

export async function getFunnelView(handle: Handle, projectId: string, id: string): Promise<FunnelView> {
  const revisions = await listRevisions(handle, projectId, [id])
  const row = await getFunnel(handle, projectId, id)
  return toView(row, await listOfferingNames(handle, projectId), revisions.get(id) ?? 1)
}

/** The view at the end of an edit. */
export async function viewAfter(edit: Edit, row: FunnelRow): Promise<FunnelView> {
  return toView(row, await listOfferingNames(edit.tx, edit.projectId), await revisionAfter(edit, row.id))
}

function toView(row: FunnelRow, offerings: ReadonlyMap<string, string>, revision: number): FunnelView {
  const { id, slug, name, status, currentVersionNo, draft, createdAt, updatedAt } = row
  const settings = givenSettings(draft.settings, offerings.get(draft.settings.offeringId ?? '') ?? null)
  return {
    id,
    slug,
    name,
    status,
    draft: { pages: draft.pages, theme: draft.theme, settings },
    currentVersionNo,
    defaultLocale: draft.defaultLocale,
    locales: draft.locales,
    revision,
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
  }
}
