import { namedProducts } from '../../intake/android/match'
import { findIosProduct, type Product } from '../../projects/catalog/snapshot'
import type { ProjectState } from '../../projects/project/state'
import type { SimulatedStore, SimulatedTerms } from '../stores/life'

/** The price of a product at a test store; the catalogue contains no prices. */
export interface Price {
  micros: number
  /** ISO 4217. */
  currency: string
}

export const USUAL_PRICE: Price = { micros: 9_990_000, currency: 'USD' }

const USUAL_PERIOD = 'P1M'
const TRIAL_PERIOD = 'P1W'

/**
 * The terms of a product, found by its identifier in the project or by its id at the store; null when the catalogue
 * does not have it.
 */
export function termsOf(
  { catalog }: ProjectState,
  store: SimulatedStore,
  name: string,
  { micros: amountMicros, currency }: Price,
): SimulatedTerms | null {
  const product = findNamed(catalog, store, name)
  if (!product) return null
  const { identifier, type, period, androidBasePlanId } = product
  return {
    identifier,
    productId: idAt(store, product) ?? identifier,
    basePlanId: androidBasePlanId ?? 'base',
    type,
    period: type === 'SUBSCRIPTION' ? (period ?? USUAL_PERIOD) : null,
    price: { amountMicros, currency },
    trialPeriod: TRIAL_PERIOD,
  }
}

function findNamed(catalog: ProjectState['catalog'], store: SimulatedStore, name: string): Product | null {
  if (store === 'ios') return findIosProduct(catalog, name)
  if (store === 'android') return namedProducts(catalog, name)[0] ?? null
  const own = catalog.productByIdentifier.get(name)
  return own ?? [...catalog.products.values()].find(({ paymentId }) => paymentId === name) ?? null
}

const idAt = (store: SimulatedStore, { iosId, androidId, paymentId }: Product): string | null =>
  ({ ios: iosId, android: androidId, payment: paymentId })[store]
