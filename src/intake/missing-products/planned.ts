import { lacksPeriod } from '../../projects/catalog/rules'
import type { CatalogRows } from '../../projects/catalog/snapshot'
import { type ProductFacts, type ProductPlan, planProducts, type SkippedProduct } from './plan'

/**
 * The plan without the products that the catalogue would refuse. `unsold`: prices that the payment provider does not have.
 */
export function planned(facts: readonly ProductFacts[], unsold: ReadonlySet<string>, rows: CatalogRows): ProductPlan {
  const [sold, unpriced] = parted(facts, ({ store, identifier }) => store === 'PAYMENT' && unsold.has(identifier))
  const endless = endlessIds(planProducts(sold, rows))
  const [kept, endlessOnes] = parted(sold, ({ store, identifier }) => store === 'IOS_STORE' && endless.has(identifier))
  const { skipped, ...plan } = planProducts(kept, rows)
  const left = [...unpriced.map(skippedFor('PRICE_NOT_FOUND')), ...endlessOnes.map(skippedFor('NO_PERIOD'))]
  return { ...plan, skipped: [...skipped, ...left] }
}

/** Ids of subscriptions of the App Store whose period is not known, neither by another store. */
const endlessIds = ({ products }: ProductPlan): ReadonlySet<string> =>
  new Set(
    products.flatMap(({ type, period, storeIds: { ios } }) =>
      ios && lacksPeriod({ type, period, iosId: ios }) ? ios : [],
    ),
  )

const parted = (facts: readonly ProductFacts[], isOut: (one: ProductFacts) => boolean) =>
  [facts.filter((one) => !isOut(one)), facts.filter(isOut)] as const

const skippedFor =
  (reason: SkippedProduct['reason']) =>
  ({ store, identifier }: ProductFacts): SkippedProduct => ({ store, identifier, reason })
