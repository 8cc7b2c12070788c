import fc from 'fast-check'
import { HOUR } from '../../../base/lib/clock'
import { compileCatalog, type Product } from '../../../projects/catalog/snapshot'
import { TestStore } from '../../../stores/payment/world.fixtures'
import type { SimulatedEvent } from '../../../test-store/stores/payment-world'
import { newestSale, nextChangeAt, PAYMENT_TURNS, type PaymentTurn } from './payment-turns.fixtures'
import { SHOP } from './shop.fixtures'

/** The catalogue of the other stores, sold at the provider with these prices. */
export const PAYMENT_SHOP = compileCatalog({
  products: [...SHOP.products.values()].map((product) => ({ ...product, ...namesOf(product) })),
  access: [],
  offerings: [],
  currencies: [],
  grants: [...SHOP.grantsByProduct.values()].flat(),
})

function namesOf({ identifier }: Product): Pick<Product, 'paymentId'> {
  const prices = new Map([
    ['pro_monthly', 'price_monthly'],
    ['pro_yearly', 'price_yearly'],
    ['coins_100', 'price_coins'],
  ])
  return { paymentId: prices.get(identifier) ?? null }
}

interface Step {
  turn: PaymentTurn
  /** Milliseconds since the previous step. */
  gap: number
  pick: number
}

export interface PaymentScript {
  opening: number
  steps: readonly Step[]
}

const TURNS = Object.keys(PAYMENT_TURNS) as PaymentTurn[]

const anyGap = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 24 * 20 }).map((hours) => hours * HOUR) },
)

export const anyPaymentScript: fc.Arbitrary<PaymentScript> = fc.record({
  opening: fc.nat({ max: 2 }),
  steps: fc.array(fc.record({ turn: fc.constantFrom(...TURNS), gap: anyGap, pick: fc.nat({ max: 11 }) }), {
    maxLength: 10,
  }),
})

export type PaymentListener = (events: readonly SimulatedEvent[], store: TestStore) => void | Promise<void>

interface Staging {
  leastGapMs?: number
  /** Turns that are left out of this life. */
  without?: readonly PaymentTurn[]
  store?: TestStore
}

/** Runs a script at the provider, turn by turn, and passes the events of each turn to `listen`. */
export async function livePayment(
  { opening, steps }: PaymentScript,
  listen: PaymentListener,
  { leastGapMs = 0, without = [], store = new TestStore() }: Staging = {},
): Promise<TestStore> {
  PAYMENT_TURNS.SUBSCRIBE(store, opening)
  await listen(store.takeEvents(), store)
  for (const { turn, gap, pick } of steps) {
    wait(store, gap, leastGapMs)
    take(store, turn, pick, without)
    await listen(store.takeEvents(), store)
  }
  return store
}

/** Lets time pass, but not beyond the end of a period, at which the provider always acts. */
function wait(store: TestStore, ms: number, leastMs: number): void {
  const now = store.clock.now()
  const sale = newestSale(store)
  const limit = sale ? nextChangeAt(sale) - HOUR : Number.POSITIVE_INFINITY
  store.clock.goTo(Math.max(now + leastMs, Math.min(now + ms, limit)))
}

/** The turn or, where it is impossible, another one that is possible. */
function take(store: TestStore, turn: PaymentTurn, pick: number, without: readonly PaymentTurn[]): void {
  const before = store.world.events.length
  for (let hop = 0; store.world.events.length === before && hop < TURNS.length; hop++) {
    const next = TURNS[(TURNS.indexOf(turn) + hop * STRIDE) % TURNS.length]
    if (next && !without.includes(next)) PAYMENT_TURNS[next](store, pick)
  }
}

/** Prime to the number of turns, so the search reaches each turn once. */
const STRIDE = 7
