import type { Examination } from '../../base/cli/doctor'
import type { Handle } from '../../base/db/handle'
import { type Finding, finding, firstNames, namesText } from '../../core/finding/findings'
import { findStoreProduct } from '../../people/purchases/store-product'
import { listAwaited } from '../../people/purchases/waiting-queries'
import { loadCatalogSnapshot } from '../../projects/catalog/service'

/** The stores that sell only what the app offers, so a product that the catalogue lacks is a mistake. */
const APP_STORES = [
  ['IOS_STORE', 'App Store'],
  ['ANDROID_STORE', 'Google Play'],
] as const

/** Which products of the app stores people have bought and the catalogue lacks. */
export const missingProductsExamination: Examination = {
  name: 'purchases-relink',
  async project({ handle }, { id }) {
    const gaps: Finding[] = []
    for (const [store, name] of APP_STORES) {
      const missing = await listMissing(handle, id, store)
      if (missing.length > 0) gaps.push(missingFinding(store, name, missing))
    }
    return { gaps }
  },
}

async function listMissing(
  handle: Handle,
  projectId: string,
  store: (typeof APP_STORES)[number][0],
): Promise<string[]> {
  const awaited = await listAwaited(handle, projectId, { store, from: '', until: null })
  if (awaited.length === 0) return []
  const catalog = await loadCatalogSnapshot(handle, projectId)
  return awaited
    .filter(({ storeProductId }) => findStoreProduct(catalog, storeProductId, store) === null)
    .map(({ storeProductId }) => storeProductId)
}

const NAMED = 20

function missingFinding(store: string, name: string, ids: readonly string[]): Finding {
  const named = firstNames(ids, NAMED)
  return finding(
    'PRODUCTS_MISSING',
    { store, ...named },
    `People bought products of the ${name} that the catalogue lacks: ${namesText(named)}. Add a product with each id; the purchases give access soon after.`,
  )
}
