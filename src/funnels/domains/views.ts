import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import { listRevisionsWith } from '../../projects/audit/revisions'
import { findDomain, pageDomains } from './queries'
import { type DomainView, viewsOf } from './view'

/** A page of the domains of a project, newest first. */
export async function listDomainViews(ctx: Context, projectId: string, page: Page): Promise<Paged<DomainView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'dom')
  const { items, hasMore } = await paged(page, (limit) => pageDomains(ctx, projectId, { ...page, limit }))
  return { items: await viewsOf(ctx, items, revisions), hasMore }
}

/** One domain of a project; 404 for an unknown id. */
export async function getDomainView(ctx: Context, projectId: string, id: string): Promise<DomainView> {
  const revisions = await listRevisionsWith(ctx, projectId, 'dom')
  const row = await findDomain(ctx, projectId, id)
  const [view] = await viewsOf(ctx, row ? [row] : [], revisions)
  if (!view) throw notFound('custom domain', id)
  return view
}
