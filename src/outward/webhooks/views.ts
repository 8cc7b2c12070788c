import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import { listRevisions, listRevisionsWith } from '../../projects/audit/revisions'
import { successRates } from '../deliveries/targets'
import { type EndpointView, toEndpointView } from './admin-wire'
import { type EndpointRow, findEndpoint, pageEndpoints } from './queries'

/** The newest first. */
export async function listEndpointViews(ctx: Context, projectId: string, page: Page): Promise<Paged<EndpointView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'whe')
  const { items, hasMore } = await paged(page, (limit) => pageEndpoints(ctx, projectId, { ...page, limit }))
  const rates = await successRates(
    ctx,
    items.map(({ id }) => id),
  )
  const now = ctx.clock.now()
  const views = items.map((row) => toEndpointView(row, rates.get(row.id) ?? null, revisions.get(row.id) ?? 1, now))
  return { items: views, hasMore }
}

export async function getEndpointView(ctx: Context, projectId: string, id: string): Promise<EndpointView> {
  const revisions = await listRevisions(ctx, projectId, [id])
  const row = await findEndpoint(ctx, projectId, id)
  if (!row) throw notFound('webhook endpoint', id)
  return viewOf(ctx, row, revisions.get(id) ?? 1)
}

export async function viewOf(ctx: Context, row: EndpointRow, revision: number): Promise<EndpointView> {
  const rates = await successRates(ctx, [row.id])
  return toEndpointView(row, rates.get(row.id) ?? null, revision, ctx.clock.now())
}
