import fc from 'fast-check'
import { HOUR } from '../../../base/lib/clock'
import { toReport } from '../../../intake/payment/report'
import { compileCatalog, type Product } from '../../../projects/catalog/snapshot'
import { decodeEvent, TestStore } from '../../../stores/payment/world.fixtures'
import type { SimulatedEvent } from '../../../test-store/stores/payment-world'
import type { ChainWord } from './chains.fixtures'
import {
  ITEM_TURNS,
  type ItemsStore,
  type ItemTurn,
  newestSale,
  nextChangeAt,
  openItemsStore,
} from './payment-items-turns.fixtures'
import { SHOP } from './shop.fixtures'

const NAMES: Record<string, Pick<Product, 'paymentId'>> = {
  pro_monthly: { paymentId: 'price_monthly' },
  pro_yearly: { paymentId: 'price_team' },
  coins_100: { paymentId: 'price_coins' },
  lifetime: { paymentId: 'price_lifetime' },
}

/** The catalogue of the other stores, sold at the provider by these prices. */
export const ITEMS_SHOP = compileCatalog({
  products: [...SHOP.products.values()].map((product) => ({ ...product, ...NAMES[product.identifier] })),
  access: [],
  offerings: [],
  currencies: [],
  grants: [...SHOP.grantsByProduct.values()].flat(),
})

export interface ItemsScript {
  opening: number
  steps: readonly { turn: ItemTurn; gap: number; pick: number }[]
}

const TURNS = Object.keys(ITEM_TURNS) as ItemTurn[]

const anyGap = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 24 * 20 }).map((hours) => hours * HOUR) },
)

export const anyItemsScript: fc.Arbitrary<ItemsScript> = fc.record({
  opening: fc.nat({ max: 11 }),
  steps: fc.array(fc.record({ turn: fc.constantFrom(...TURNS), gap: anyGap, pick: fc.nat({ max: 11 }) }), {
    maxLength: 10,
  }),
})

export interface ItemsStaging {
  /** Turns that are left out of this life. */
  without?: readonly ItemTurn[]
  store?: TestStore
  /** Called with each turn that was taken. */
  count?: (turn: ItemTurn) => void
}

type Listener = (events: readonly SimulatedEvent[], store: ItemsStore) => void | Promise<void>

/** Two events are at least this far apart, for the provider's dates have whole seconds. */
const LEAST_GAP_MS = 2000

/** Runs a script at the provider, turn by turn, and passes the events of each turn to `listen`. */
export async function liveItems(
  { opening, steps }: ItemsScript,
  listen: Listener,
  { without = [], store: empty = new TestStore(), count }: ItemsStaging = {},
): Promise<ItemsStore> {
  const store = openItemsStore(empty)
  ITEM_TURNS.SUBSCRIBE(store, opening)
  await listen(store.takeEvents(), store)
  for (const { turn, gap, pick } of steps) {
    wait(store, gap)
    const taken = take(store, turn, pick, without)
    if (taken) count?.(taken)
    await listen(store.takeEvents(), store)
  }
  return store
}

/** Lets time pass, but not beyond the end of a period, at which the provider always acts. */
function wait(store: ItemsStore, ms: number): void {
  const now = store.clock.now()
  const sale = newestSale(store)
  const limit = sale ? nextChangeAt(sale) - HOUR : Number.POSITIVE_INFINITY
  store.clock.goTo(Math.max(now + LEAST_GAP_MS, Math.min(now + ms, limit)))
}

/** The turn or, where it is impossible, another one that is possible; returns the one that was taken. */
function take(store: ItemsStore, turn: ItemTurn, pick: number, without: readonly ItemTurn[]): ItemTurn | null {
  const before = store.world.events.length
  for (let hop = 0; hop < TURNS.length; hop++) {
    const next = TURNS[(TURNS.indexOf(turn) + hop * STRIDE) % TURNS.length]
    if (!next || without.includes(next)) continue
    ITEM_TURNS[next](store, pick)
    if (store.world.events.length > before) return next
  }
  return null
}

/** Prime to the number of turns, so the search reaches each turn once. */
const STRIDE = 5

/** What the provider reports when it is asked about an event now; null for an event that is not about a sale. */
export async function wordOfEvent(event: SimulatedEvent, store: ItemsStore): Promise<ChainWord | null> {
  const result = await decodeEvent(store.reader, event, store.clock.now())
  if (!result.ok && result.reason === 'malformed') throw new Error(`Not decoded: ${result.field}`)
  if (!result.ok) return null
  return toReport({ catalog: ITEMS_SHOP }, result.purchase)
}
