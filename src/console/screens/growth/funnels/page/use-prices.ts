import type { PackagePrice, PriceUnit } from '../../../../../core/funnel/render/money'
import { useEvery } from '../../../../api/every'
import type { Schemas } from '../../../../api/schemas'
import { useProject } from '../../../../lib/session'

type Product = Schemas['Product']

/** What the test store asks for a product without a price of its own. */
const SAMPLE = { amountMicros: 9_990_000, currency: 'USD' }
const UNITS: Readonly<Record<string, PriceUnit>> = { D: 'day', W: 'week', M: 'month', Y: 'year' }

/** The packages of an offering at the prices that their products name. The preview asks no payment provider. */
export function usePrices(offering: string | undefined): PackagePrice[] {
  const { path } = useProject()
  const { items: offerings } = useEvery('/dashboard/projects/{projectId}/offerings', {
    params: { path, query: { limit: 200 } },
  })
  const { items: products } = useEvery('/dashboard/projects/{projectId}/products', {
    params: { path, query: { limit: 200 } },
  })
  const packages = offerings.find(({ identifier }) => identifier === offering)?.packages ?? []
  return packages.flatMap(({ identifier, productId }) => {
    const product = products.find(({ id }) => id === productId)
    return product?.isActive ? [priceOf(identifier, product)] : []
  })
}

function priceOf(packageIdentifier: string, { type, displayName, price, period }: Product): PackagePrice {
  const [, count, letter = ''] = /^P(\d+)([DWMY])$/.exec(period ?? '') ?? []
  const given = price ?? SAMPLE
  return {
    packageIdentifier,
    productType: type,
    name: displayName,
    price: given,
    interval: UNITS[letter] ?? null,
    intervalCount: Number(count ?? 1),
    trialDays: 0,
    dueNow: given,
  }
}
