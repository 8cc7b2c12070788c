import { findStoreProduct } from '../../people/purchases/store-product'
import { countsUnlisted } from '../../people/purchases/unlisted-sales'
import { type CatalogSnapshot, compileCatalog, type Product } from '../../projects/catalog/snapshot'
import type { Commission } from '../../projects/connections/commission-rates'
import { isSame } from '../../projects/project/edit'
import type { ProjectState } from '../../projects/project/state'
import type { Store } from '../../stores/observation'

/** What an entry can depend on of a product: the names by which it is found, and its period. */
type CountedProduct = Pick<
  Product,
  'id' | 'identifier' | 'iosId' | 'androidId' | 'paymentId' | 'androidBasePlanId' | 'period'
>

/** Everything in the configuration of a project that entries depend on. */
export interface FigureSettings {
  commission: Commission
  countsUnlisted: boolean
  products: CountedProduct[]
}

export const settingsOf = (project: ProjectState): FigureSettings => ({
  commission: project.commission,
  countsUnlisted: countsUnlisted(project),
  products: [...project.catalog.products.values()].map(toCounted).sort((a, b) => (a.id < b.id ? -1 : 1)),
})

const toCounted = ({ id, identifier, iosId, androidId, paymentId, androidBasePlanId, period }: Product) => ({
  ...{ id, identifier, iosId, androidId, paymentId, androidBasePlanId, period },
})

/** Whether two settings differ in products only, so that only entries of some products differ. */
export const haveSameRules = (a: FigureSettings, b: FigureSettings): boolean =>
  a.countsUnlisted === b.countsUnlisted && isSame(a.commission, b.commission)

/** A store product that entries are about. */
export interface CountedName {
  store: Store
  storeProductId: string
}

/**
 * Tells whether entries about a store product are other ones by the products of now. `bases`: the settings with which
 * they may have been computed. An entry keeps the name of its product, so the period alone decides.
 */
export function changedNames(bases: readonly FigureSettings[], now: FigureSettings): (name: CountedName) => boolean {
  const catalogs = bases.map(toCatalog)
  const current = toCatalog(now)
  const known = new Map<string, boolean>()
  return ({ store, storeProductId }) => {
    const name = `${store} ${storeProductId}`
    const isKnown = known.get(name)
    if (isKnown !== undefined) return isKnown
    const period = periodIn(current, store, storeProductId)
    const isChanged = catalogs.some((catalog) => periodIn(catalog, store, storeProductId) !== period)
    known.set(name, isChanged)
    return isChanged
  }
}

const periodIn = (catalog: CatalogSnapshot, store: Store, storeProductId: string): string | null =>
  findStoreProduct(catalog, storeProductId, store)?.period ?? null

const toCatalog = ({ products }: FigureSettings): CatalogSnapshot =>
  compileCatalog({
    products: products.map((product) => ({ ...OTHERWISE, ...product })),
    ...{ access: [], offerings: [], currencies: [], grants: [] },
  })

/** The members of a product that no entry depends on. */
const OTHERWISE: Omit<Product, keyof CountedProduct> = {
  ...({ type: 'SUBSCRIPTION', displayName: '', androidOfferId: null } as const),
  ...{ accessIds: [], isActive: true, metadata: {}, price: null },
}
