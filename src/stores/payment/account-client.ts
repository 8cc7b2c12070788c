import type Stripe from 'stripe'
import { Provider, type ProviderParts, type ProviderResult } from './provider'
import { received, receivedList } from './received'

const PAGE = 100
/** At most 2000 products are in a catalogue. */
const MAX_PRICES = 2000

/** What the dashboard asks the payment provider about an account, with the keys of that account or of the platform. */
export class PaymentAccountClient {
  readonly #provider: Provider

  constructor(parts: ProviderParts) {
    this.#provider = new Provider(parts)
  }

  /** Whether the key may read the prices of the account. */
  probe(): Promise<ProviderResult<null>> {
    return this.#provider.call(async (stripe) => {
      receivedList(await stripe.prices.list({ limit: 1 }), 'price')
      return null
    })
  }

  /** All prices, each with its product. */
  listPrices(): Promise<ProviderResult<Stripe.Price[]>> {
    return this.#provider.call(async (stripe) => {
      const prices: Stripe.Price[] = []
      for (let after: object = {}, hasMore = true; hasMore && prices.length < MAX_PRICES; ) {
        const query = { limit: PAGE, expand: ['data.product'], ...after }
        const page = receivedList(await stripe.prices.list(query), 'price')
        prices.push(...page.data)
        after = { starting_after: page.data.at(-1)?.id ?? '' }
        hasMore = page.has_more && page.data.length > 0
      }
      return prices
    })
  }

  /** The connected account of these calls. */
  getAccount(id: string): Promise<ProviderResult<Stripe.Account>> {
    return this.#provider.call(async (stripe) => received(await stripe.accounts.retrieve(id), 'account', id))
  }
}
