import type Stripe from 'stripe'
import type { Context } from '../../base/context'
import type { Product } from '../../projects/catalog/snapshot'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import type { PaymentClient } from '../../stores/payment/client'
import { fromSmallestUnit } from '../../stores/payment/currency'
import type { ProviderCaches } from './provider-cache'
import type { StorePrice } from './terms'

/** A price at the provider; null = it has none with one amount. */
type FoundPrice = StorePrice | null | 'unavailable'

interface Account {
  client: PaymentClient
  projectId: string
  caches: ProviderCaches
}

/** A price of the provider by its id. While the provider does not answer, the last one that was read; not when `isFresh`. */
export async function readProviderPrice(
  { client, projectId, caches: { prices } }: Account,
  paymentId: string,
  isFresh: boolean,
): Promise<FoundPrice> {
  const key = `${projectId} ${paymentId}`
  const kept = isFresh ? null : prices.find(key)
  if (kept) return toStorePrice(kept)
  const answer = await client.getPrice(paymentId)
  if (answer.ok) prices.keep(key, answer.value)
  const price = answer.ok ? answer.value : isFresh ? null : prices.findOld(key)
  if (price) return toStorePrice(price)
  return answer.ok || answer.reason === 'rejected' ? null : 'unavailable'
}

const INTERVALS = ['day', 'week', 'month', 'year'] as const

/** Null for a price that has no one amount. */
function toStorePrice({ unit_amount, currency, recurring, tax_behavior }: Stripe.Price): StorePrice | null {
  const price = unit_amount === null ? null : fromSmallestUnit(unit_amount, currency)
  const interval = recurring ? INTERVALS.find((one) => one === recurring.interval) : null
  if (!price || interval === undefined) return null
  return {
    price,
    interval,
    intervalCount: recurring?.interval_count ?? 1,
    trialDays: recurring?.trial_period_days ?? 0,
    taxIncluded: tax_behavior === 'inclusive' ? true : tax_behavior === 'exclusive' ? false : null,
  }
}

const AT_ONCE = 8

/**
 * What products cost at the payment provider, by their payment id: without those that it does not have, and without all
 * of a project that has no account. `unavailable`: the provider does not answer for one that was never read.
 */
export async function providerPrices(
  ctx: Context,
  project: ProjectState,
  products: readonly Product[],
): Promise<ReadonlyMap<string, StorePrice> | 'unavailable'> {
  const ids = [...new Set(products.flatMap(({ paymentId }) => paymentId ?? []))]
  const client = ids.length === 0 ? null : await paymentClient(ctx, project)
  const found = new Map<string, StorePrice>()
  if (!client) return found
  const account = { client, projectId: project.id, caches: ctx.state.funnelProvider }
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE)
    for (const [index, price] of (await Promise.all(some.map((id) => priceForMany(account, id)))).entries()) {
      if (price === 'unavailable') return 'unavailable'
      if (price) found.set(some[index] ?? '', price)
    }
  }
  return found
}

/** Public keys can cause these calls: equal ones at the same time share one, and a failure is kept for 30 seconds. */
function priceForMany(account: Account, paymentId: string): Promise<FoundPrice> {
  const { asked, failures } = account.caches
  const key = `${account.projectId} ${paymentId}`
  const failure = failures.find(key)
  if (failure) return Promise.resolve(failure === 'missing' ? null : failure)
  const running = asked.get(key)
  if (running) return running
  const asking = readProviderPrice(account, paymentId, false)
    .then((price) => {
      if (price === null || price === 'unavailable') failures.keep(key, price ?? 'missing')
      return price
    })
    .finally(() => asked.delete(key))
  asked.set(key, asking)
  return asking
}
