import type { Context } from '../../base/context'
import { inTime } from '../../base/jobs/within'
import type { Money } from '../../base/lib/money'
import { providerPrices } from '../../funnels/payments/provider-prices'
import type { Product } from '../../projects/catalog/snapshot'
import type { ProjectState } from '../../projects/project/state'
import { SdkRefusal, STORE_TROUBLE } from './refusal'

/** What is shown of a price. */
interface Terms {
  price: Money
  priceId: string
  period: string
  trialDays: number
}

/** What the test store charges for a product without a price. */
const USUAL_PRICE: Money = { amountMicros: 9_990_000, currency: 'USD' }
const USUAL_PERIOD = 'P1M'
const RETRY_SECONDS = 60

/** Products of the test store: at the price of the catalogue. */
export const testProducts = (products: readonly Product[]) =>
  toProducts(products, (product) => catalogTerms(product, product.price ?? USUAL_PRICE))

/**
 * Products that are sold on the web: at the price of the payment provider, else at that of the catalogue. Those without
 * any are left out. 503 while the provider does not answer: without a product its package would be missing in the app.
 */
export async function soldProducts(ctx: Context, project: ProjectState, products: readonly Product[]) {
  const asking = providerPrices(ctx, project, products)
  const prices = await inTime(asking, 'STORE_API_ERROR', 'The payment provider')
  if (prices === 'unavailable')
    throw new SdkRefusal(503, STORE_TROUBLE, 'The payment provider does not answer', {}, RETRY_SECONDS)
  return toProducts(products, (product) => {
    const found = prices.get(product.paymentId ?? '')
    if (!found) return product.price && catalogTerms(product, product.price)
    const { price, interval, intervalCount, trialDays } = found
    const period = interval === null ? (product.period ?? USUAL_PERIOD) : `P${intervalCount}${LETTERS[interval]}`
    return { price, priceId: product.paymentId ?? '', period, trialDays }
  })
}

const LETTERS = { day: 'D', week: 'W', month: 'M', year: 'Y' } as const

const catalogTerms = ({ identifier, period }: Product, price: Money): Terms => ({
  price,
  priceId: `${identifier}_price`,
  period: period ?? USUAL_PERIOD,
  trialDays: 0,
})

const toProducts = (products: readonly Product[], termsOf: (product: Product) => Terms | null) => ({
  product_details: products.flatMap((product) => {
    const terms = termsOf(product)
    return terms ? [toProduct(product, terms)] : []
  }),
})

const TYPES: Record<Product['type'], string> = {
  SUBSCRIPTION: 'subscription',
  CONSUMABLE: 'consumable',
  NON_CONSUMABLE: 'non_consumable',
}

const OPTION = 'base_option'

const toProduct = ({ identifier, type, displayName }: Product, terms: Terms) => ({
  identifier,
  product_type: TYPES[type],
  title: displayName,
  description: null,
  default_purchase_option_id: OPTION,
  purchase_options: {
    [OPTION]: {
      ...{ id: OPTION, price_id: terms.priceId },
      ...(type === 'SUBSCRIPTION' ? recurringOf(terms) : { base_price: amountOf(terms) }),
      discount: null,
    },
  },
})

const amountOf = ({ price: { amountMicros, currency } }: Terms) => ({ amount_micros: amountMicros, currency })

const recurringOf = (terms: Terms) => ({
  base: { period_duration: terms.period, cycle_count: 1, price: amountOf(terms) },
  trial: terms.trialDays > 0 ? { period_duration: `P${terms.trialDays}D`, cycle_count: 1, price: null } : null,
  intro_price: null,
})
