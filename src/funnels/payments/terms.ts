import { isPeriod } from '../../base/lib/period'
import type { FunnelDocument } from '../../core/funnel/model'
import type { PriceUnit } from '../../core/funnel/render/money'
import type { Product } from '../../projects/catalog/snapshot'
import type { ProjectState } from '../../projects/project/state'
import type { OfferedPrice } from '../sessions/service'

/** A package of a funnel's offering, with its product. */
export interface FunnelPackage {
  packageIdentifier: string
  product: Product
}

/** The packages that a funnel sells, in their order. */
export function packagesOf(
  { catalog }: Pick<ProjectState, 'catalog'>,
  { settings: { offeringId } }: Pick<FunnelDocument, 'settings'>,
): FunnelPackage[] {
  const offering = catalog.offerings.find(({ id }) => id === offeringId)
  return (offering?.packages ?? []).flatMap(({ identifier, productId }) => {
    const product = catalog.products.get(productId)
    return product?.isActive ? [{ packageIdentifier: identifier, product }] : []
  })
}

/** What a product costs at a store. */
export interface StorePrice extends Pick<OfferedPrice, 'price' | 'interval' | 'intervalCount' | 'trialDays'> {
  taxIncluded: boolean | null
}

/** A package at its price of today. */
export function offeredPrice({ packageIdentifier, product }: FunnelPackage, terms: StorePrice): OfferedPrice {
  const { price, trialDays } = terms
  return {
    packageIdentifier,
    productType: product.type,
    name: product.displayName,
    introPrice: null,
    ...terms,
    dueNow: trialDays > 0 ? { ...price, amountMicros: 0 } : price,
  }
}

const UNITS: Readonly<Record<string, PriceUnit>> = { D: 'day', W: 'week', M: 'month', Y: 'year' }

/** The interval of a period such as P3M; null for a period that is not of one unit. */
export function intervalOf(period: string): { interval: PriceUnit; intervalCount: number } | null {
  const [, count, letter = ''] = /^P(\d{1,4})([DWMY])$/.exec(isPeriod(period) ? period : '') ?? []
  const interval = UNITS[letter]
  return interval === undefined ? null : { interval, intervalCount: Number(count) }
}
