import type { TestSales } from '../../stores/in-process'
import { PRICE_KEY } from '../../stores/payment/metadata'
import { API_VERSION } from '../../stores/payment/provider'
import { SESSION_KEY } from './model'
import { NO_WALLETS, reducedPrice, type Seller } from './seller'
import { type FunnelPackage, intervalOf, type StorePrice } from './terms'

/** The price of a product at the test store when none was set. */
const USUAL = { amountMicros: 9_990_000, currency: 'USD' }

const USUAL_PERIOD = 'P1M'

/** Sells at the built-in test store: nothing is charged, and no account and no network are needed. */
export const testSeller = (sales: TestSales): Seller => ({
  account: {
    provider: 'test',
    publishableKey: 'pk_test_simulated',
    accountId: null,
    apiVersion: API_VERSION,
    wallets: NO_WALLETS,
  },
  async priceOf({ product }): Promise<StorePrice | null> {
    const offer = (await sales.offers()).get(product.identifier)
    const isRecurring = product.type === 'SUBSCRIPTION'
    const interval = isRecurring ? intervalOf(product.period ?? USUAL_PERIOD) : null
    if (isRecurring && interval === null) return null
    return {
      price: product.price ?? offer?.price ?? USUAL,
      ...(interval ?? { interval: null, intervalCount: 1 }),
      trialDays: isRecurring ? (offer?.trialDays ?? 0) : 0,
      taxIncluded: null,
    }
  },
  async findDiscount(code) {
    const percentOff = await sales.percentOff(code)
    return percentOff === null ? null : { id: `promo_${code.trim().toUpperCase()}`, percentOff, amountOff: null }
  },
  async open({ sessionId, package: sold, price, discount, key }) {
    const productId = idAtTestStore(sold)
    const isRecurring = price.interval !== null
    const metadata = { [SESSION_KEY]: sessionId, ...(!isRecurring && { [PRICE_KEY]: productId }) }
    const { identifier, type, period } = sold.product
    const terms = { identifier, productId, type, period: isRecurring ? (period ?? USUAL_PERIOD) : null }
    const cost = { price: price.price, trialDays: price.trialDays, percentOff: discount?.percentOff ?? 0 }
    const opened = await sales.open({ ...terms, ...cost, metadata }, key)
    if (!opened.ok) return { ok: false, reason: 'rejected', message: opened.why }
    const { kind, customerId, subscriptionId, intentId, clientSecret, expiresAt } = opened.sale
    const objects = { customerId, subscriptionId, intentId }
    return { ok: true, sale: { kind, objects, clientSecret, due: reducedPrice(price.dueNow, discount), expiresAt } }
  },
  walletsOf: async () => NO_WALLETS,
  async abandon({ subscriptionId, intentId }) {
    const id = subscriptionId ?? intentId
    if (id !== null) await sales.abandon(id)
  },
})

/** A product without an id at the provider sells at the test store by its identifier. */
const idAtTestStore = ({ product: { paymentId, identifier } }: FunnelPackage): string => paymentId ?? identifier
