import type { Examination } from '../../base/cli/doctor'
import { type Finding, finding, firstNames, namesText } from '../../core/finding/findings'
import { hasPaymentAccount } from '../connections/credentials'
import { lacksPeriod } from './rules'
import { loadCatalogSnapshot } from './service'
import type { CatalogSnapshot, Product } from './snapshot'

/**
 * Checks that a default offering exists, that each active product has a store id and gives access or
 * currency, and that subscriptions of the App Store have a period.
 */
export const catalogExamination: Examination = {
  name: 'catalog',
  async project({ handle, config, vault }, { id }) {
    const catalog = await loadCatalogSnapshot(handle, id)
    const hasTestStore = config.isSimulatorOn && vault !== null && !(await hasPaymentAccount(handle, id))
    return { gaps: gapsOf(catalog, hasTestStore), counts: { products: catalog.products.size } }
  },
}

/** `hasTestStore`: the test store sells the products in funnels, by their identifiers. */
function gapsOf(catalog: CatalogSnapshot, hasTestStore: boolean): Finding[] {
  const active = [...catalog.products.values()].filter(({ isActive }) => isActive)
  const idle = active.filter((product) => givesNothing(product, catalog))
  const unsold = active.filter(({ iosId, androidId, paymentId }) => !iosId && !androidId && !paymentId)
  const endless = active.filter(lacksPeriod)
  const gaps: [isThere: boolean, gap: Finding][] = [
    [
      !catalog.offerings.some(({ isDefault }) => isDefault),
      finding('NO_DEFAULT_OFFERING', {}, 'No offering is the default; mark one in offerings.'),
    ],
    [idle.length > 0, naming('PRODUCTS_GIVE_NOTHING', idle, 'These products give neither access nor currency')],
    [
      endless.length > 0,
      naming(
        'PRODUCTS_WITHOUT_PERIOD',
        endless,
        'These subscriptions of the App Store have no period, so one that does not renew never ends',
      ),
    ],
    [
      unsold.length > 0,
      hasTestStore
        ? naming(
            'PRODUCTS_TEST_STORE_ONLY',
            unsold,
            'These products have no store id, so only the test store sells them',
          )
        : naming('PRODUCTS_UNSOLD', unsold, 'These products have no store id, so no store sells them'),
    ],
  ]
  return gaps.flatMap(([isThere, gap]) => (isThere ? [gap] : []))
}

const givesNothing = ({ id, accessIds }: Product, { grantsByProduct }: CatalogSnapshot): boolean =>
  accessIds.length === 0 && !grantsByProduct.has(id)

const MAX_NAMED = 5

type NamingCode = 'PRODUCTS_GIVE_NOTHING' | 'PRODUCTS_WITHOUT_PERIOD' | 'PRODUCTS_TEST_STORE_ONLY' | 'PRODUCTS_UNSOLD'

function naming(code: NamingCode, products: readonly Product[], sentence: string): Finding {
  const named = firstNames(products.map(({ identifier }) => identifier).sort(), MAX_NAMED)
  return finding(code, named, `${sentence}: ${namesText(named)}.`)
}
