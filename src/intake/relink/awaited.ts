import type { Handle } from '../../base/db/handle'
import { findStoreProduct } from '../../people/purchases/store-product'
import { countsUnlisted } from '../../people/purchases/unlisted-sales'
import { type Awaited, type AwaitedSpan, countWaiting, listAwaited } from '../../people/purchases/waiting-queries'
import { countAwaited } from '../../people/purchases/waiting-sums'
import { loadCatalogSnapshot } from '../../projects/catalog/service'
import type { CatalogSnapshot } from '../../projects/catalog/snapshot'
import type { ProjectState } from '../../projects/project/state'
import { ALL_SPANS, AWAITED_STORES, spansOf } from './spans'

/** Above this number of products everything that waits is looked through at once. */
export const MAX_PRODUCTS = 100

/** The store products that something waits for and that the catalogue has now. `productIds`: null = of any product. */
export async function listLinkable(
  handle: Handle,
  projectId: string,
  catalog: CatalogSnapshot,
  productIds: readonly string[] | null,
): Promise<Awaited[]> {
  const found = new Map<string, Awaited>()
  const wanted = productIds && new Set(productIds)
  for (const span of spansFor(catalog, productIds))
    for (const awaited of await listAwaited(handle, projectId, span)) {
      const product = findStoreProduct(catalog, awaited.storeProductId, awaited.store)
      if (product && (wanted?.has(product.id) ?? true)) found.set(`${awaited.store} ${awaited.storeProductId}`, awaited)
    }
  return [...found.values()]
}

function spansFor({ products }: CatalogSnapshot, productIds: readonly string[] | null): readonly AwaitedSpan[] {
  if (productIds === null || productIds.length > MAX_PRODUCTS) return ALL_SPANS
  return productIds.flatMap((id) => {
    const product = products.get(id)
    return product ? spansOf(product) : []
  })
}

/** How many purchases wait for one of the store products. */
export async function countAll(handle: Handle, projectId: string, awaited: readonly Awaited[]): Promise<number> {
  let count = 0
  for (const one of awaited) count += await countWaiting(handle, projectId, one)
  return count
}

/**
 * How many purchases of a project wait for a product that the catalogue lacks. Unlisted sales are among them where the
 * project counts them.
 */
export async function countMissing(handle: Handle, project: ProjectState): Promise<number> {
  const catalog = await loadCatalogSnapshot(handle, project.id)
  const hasSales = countsUnlisted(project)
  let count = 0
  for (const store of AWAITED_STORES)
    for (const { storeProductId, purchases, sales } of await countAwaited(handle, project.id, store))
      if (findStoreProduct(catalog, storeProductId, store) === null) count += purchases + (hasSales ? sales : 0)
  return count
}

/** How many purchases of a project wait although the catalogue has their product. */
export async function countLinkable(handle: Handle, projectId: string): Promise<number> {
  const catalog = await loadCatalogSnapshot(handle, projectId)
  return countAll(handle, projectId, await listLinkable(handle, projectId, catalog, null))
}
