import type Stripe from 'stripe'
import type { Clock } from '../../base/lib/clock'
import { MINUTE, SECOND } from '../../base/lib/clock'
import type { Wallets } from '../sessions/service'
import type { StorePrice } from './terms'

interface Kept<Value> {
  value: Value
  readAt: number
}

/** What the provider has answered, by project and name, so that a page of a funnel does not ask for it each time. */
class ProviderCache<Value> {
  readonly #kept = new Map<string, Kept<Value>>()

  constructor(
    private readonly clock: Clock,
    private readonly freshMs: number,
    private readonly most: number,
  ) {}

  /** Null where there is none, or only one that was read too long ago. */
  find(key: string): Value | null {
    const kept = this.#kept.get(key)
    return kept && this.clock.now() - kept.readAt < this.freshMs ? kept.value : null
  }

  /** The last one, however old, for pages while the provider does not answer. */
  findOld(key: string): Value | null {
    return this.#kept.get(key)?.value ?? null
  }

  keep(key: string, value: Value): void {
    this.#kept.delete(key)
    if (this.#kept.size >= this.most) this.#kept.delete(this.#kept.keys().next().value ?? '')
    this.#kept.set(key, { value, readAt: this.clock.now() })
  }
}

/** Prices of the provider by project and id, and which wallets it shows by project and host. */
export class ProviderCaches {
  readonly prices: ProviderCache<Stripe.Price>
  readonly wallets: ProviderCache<Wallets>
  /** Prices that could not be read a moment ago, by project and id. */
  readonly failures: ProviderCache<'missing' | 'unavailable'>
  /** Prices that are being read, by project and id. */
  readonly asked = new Map<string, Promise<StorePrice | null | 'unavailable'>>()

  constructor(clock: Clock) {
    this.failures = new ProviderCache(clock, 30 * SECOND, 5000)
    this.prices = new ProviderCache(clock, 5 * MINUTE, 5000)
    this.wallets = new ProviderCache(clock, 10 * MINUTE, 2000)
  }
}
