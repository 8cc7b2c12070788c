import type { Examination } from '../../base/cli/doctor'
import { lacksPeriod } from './rules'
import { loadCatalogSnapshot } from './service'
import type { CatalogSnapshot, Product } from './snapshot'

/**
 * Checks that a default offering exists, that each active product has a store id and gives access or
 * currency, and that subscriptions of the App Store have a period.
 */
export const catalogExamination: Examination = {
  name: 'catalog',
  async project({ handle }, { id }) {
    const catalog = await loadCatalogSnapshot(handle, id)
    return { gaps: gapsOf(catalog), counts: { products: catalog.products.size } }
  },
}

function gapsOf(catalog: CatalogSnapshot): string[] {
  const active = [...catalog.products.values()].filter(({ isActive }) => isActive)
  const idle = active.filter((product) => givesNothing(product, catalog))
  const unsold = active.filter(({ iosId, androidId, paymentId }) => !iosId && !androidId && !paymentId)
  const endless = active.filter(lacksPeriod)
  const gaps: [isThere: boolean, sentence: string][] = [
    [!catalog.offerings.some(({ isDefault }) => isDefault), 'No offering is the default; mark one in offerings.'],
    [idle.length > 0, `These products give neither access nor currency: ${list(idle)}.`],
    [
      endless.length > 0,
      `These subscriptions of the App Store have no period, so one that does not renew never ends: ${list(endless)}.`,
    ],
    [unsold.length > 0, `These products have no store id, so no store sells them: ${list(unsold)}.`],
  ]
  return gaps.flatMap(([isThere, sentence]) => (isThere ? [sentence] : []))
}

const givesNothing = ({ id, accessIds }: Product, { grantsByProduct }: CatalogSnapshot): boolean =>
  accessIds.length === 0 && !grantsByProduct.has(id)

const MAX_NAMED = 5

function list(products: readonly Product[]): string {
  const names = products.map(({ identifier }) => identifier).sort()
  const more = names.length - MAX_NAMED
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
