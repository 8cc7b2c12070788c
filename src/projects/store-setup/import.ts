import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import type { StoreCatalogItem } from '../catalog/hooks'
import { listStoreProducts } from './catalog'
import type { StoreName } from './model'

/**
 * What a store sells, for an import into the catalogue. A product of which the store does not say whether it is used up
 * counts as one that stays, because that never takes anything away.
 */
export async function storeItems(
  ctx: Context,
  projectId: string,
  store: StoreName,
): Promise<readonly StoreCatalogItem[]> {
  const project = await ctx.state.projects.find(projectId)
  if (!project) throw notFound('project', projectId)
  const products = await listStoreProducts(ctx, project, store)
  return products.map(({ storeId, name, type, basePlans, status, period }) => ({
    storeId,
    name,
    type: type === 'ONE_TIME' ? 'NON_CONSUMABLE' : type,
    // A purchase of a one-time product names no purchase option, so that it is one product for all of them.
    basePlans: type === 'SUBSCRIPTION' ? basePlans.map(({ id, period: ofPlan }) => ({ id, period: ofPlan })) : [],
    status,
    period,
  }))
}
