import fc from 'fast-check'
import { DAY, HOUR } from '../../../base/lib/clock'
import type { Item, SimulatedPlan } from '../../../test-store/stores/android'
import type { AndroidFact } from './android-world.fixtures'
import {
  currentChain,
  endOfItem,
  GOODS,
  type Good,
  type ItemsChain,
  microsOf,
  ownedItems,
  PLANS,
  PlayItemsWorld,
  stateOf,
} from './play-items-world.fixtures'

type Turn = (world: PlayItemsWorld, pick: number) => void
type ChainTurn = (world: PlayItemsWorld, chain: ItemsChain, pick: number) => void

/** A turn of the newest subscription while it is in one of these states. */
const inState =
  (states: readonly string[], turn: ChainTurn): Turn =>
  (world, pick) => {
    const chain = currentChain(world)
    if (chain && states.includes(stateOf(world, chain))) turn(world, chain, pick)
  }

export const PLAY_ITEM_TURNS = {
  SUBSCRIBE: subscribe,
  RENEW: inState(['ACTIVE', 'IN_GRACE_PERIOD', 'ON_HOLD', 'PAUSED'], renew),
  CANCEL: inState(['ACTIVE'], (world, { token }) => world.store.cancel(token)),
  RESTART: inState(['CANCELED'], (world, { token }) => world.store.restart(token)),
  FAIL: inState(['ACTIVE'], (world, chain) => atEnd(world, chain, () => world.store.failPayment(chain.token))),
  HOLD: inState(['ACTIVE', 'IN_GRACE_PERIOD'], (world, chain) =>
    atEnd(world, chain, () => world.store.hold(chain.token)),
  ),
  PAUSE: inState(['ACTIVE'], (world, chain) => atEnd(world, chain, () => world.store.pause(chain.token))),
  EXPIRE: inState(['CANCELED', 'IN_GRACE_PERIOD', 'ON_HOLD', 'PAUSED'], expire),
  REVOKE: inState(['ACTIVE', 'CANCELED', 'IN_GRACE_PERIOD'], revoke),
  REFUND: inState(['ACTIVE', 'CANCELED', 'IN_GRACE_PERIOD'], refund),
  ADD: inState(['ACTIVE'], add),
  REMOVE: inState(['ACTIVE'], remove),
  DEFER: inState(['ACTIVE'], defer),
  CHANGE: inState(['ACTIVE', 'CANCELED'], change),
  CART: buy,
  UNITS: refundUnits,
  CART_REFUND: refundCart,
  LOOK: look,
} as const satisfies Record<string, Turn>

export type PlayItemTurn = keyof typeof PLAY_ITEM_TURNS

const OPENINGS: readonly (readonly [base: number, ...addons: number[]])[] = [[0], [0, 1], [2, 0], [1, 2, 0], [2, 1]]

const plansAt = (indexes: readonly number[]): SimulatedPlan[] => indexes.flatMap((index) => PLANS[index] ?? [])

function subscribe(world: PlayItemsWorld, pick: number): void {
  const held = currentChain(world)
  if (held && stateOf(world, held) !== 'EXPIRED') return
  const [plan, ...addons] = plansAt(OPENINGS[pick % OPENINGS.length] ?? [0])
  if (!plan) return
  const withTrial = addons.length === 0 && pick % 2 === 1
  const sold = pick % 4 === 2 ? [plan, ...addons].map(committed) : [plan, ...addons]
  const [first = plan, ...more] = sold
  open(world, world.store.subscribe(first, { withTrial, accountId: world.name, addons: more }))
}

/** The buyer commits to a year of payments, one for each month. */
const committed = (plan: SimulatedPlan): SimulatedPlan => ({
  ...plan,
  commitment: { installmentDetails: { initialCommittedPaymentsCount: 12, remainingCommittedPaymentsCount: 11 } },
})

function open(world: PlayItemsWorld, token: string): void {
  const chain: ItemsChain = { token, isRevoked: false, voidedOrderIds: [], replacedBy: null }
  world.chains.push(chain)
  const items = ownedItems(world, chain)
  addOrder(world, token, items)
  for (const { productId } of items) world.post(token, productId ?? '')
}

/** Notes what the newest order charged. */
function addOrder(world: PlayItemsWorld, token: string, items: readonly Item[]): void {
  const orderId = items[0]?.latestSuccessfulOrderId ?? ''
  const charges = world.store.charges.get(orderId) ?? []
  const charged = items.map((item) => {
    const productId = item.productId ?? ''
    const told = charges.find((one) => one.productId === productId)?.total.amountMicros
    const micros = told ?? (item.offerPhase?.freeTrial ? 0 : microsOf(item))
    return { productId, micros, units: 1, returned: 0 }
  })
  world.orders.push({ orderId, token, charged, isReturned: false })
}

const renews = (world: PlayItemsWorld, chain: ItemsChain): boolean =>
  ownedItems(world, chain).some(({ autoRenewingPlan: plan }) => plan?.autoRenewEnabled)

function renew(world: PlayItemsWorld, chain: ItemsChain): void {
  const { token } = chain
  if (!renews(world, chain)) return
  if (stateOf(world, chain) === 'ACTIVE') world.clock.at = Math.max(world.now, world.subscription(token).paidUntil)
  world.store.renew(token)
  addOrder(world, token, ownedItems(world, chain))
}

/** What the store does by itself at the end of a paid period or of a grace period. */
function atEnd(world: PlayItemsWorld, chain: ItemsChain, turn: () => void): void {
  if (!renews(world, chain)) return
  world.clock.at = Math.max(world.now, endOfChain(world, chain))
  turn()
}

const endOfChain = (world: PlayItemsWorld, chain: ItemsChain): number =>
  Math.max(...ownedItems(world, chain).map(endOfItem))

function expire(world: PlayItemsWorld, chain: ItemsChain): void {
  const state = stateOf(world, chain)
  if (state !== 'ON_HOLD' && state !== 'PAUSED') world.clock.at = Math.max(world.now, endOfChain(world, chain))
  world.store.expire(chain.token)
}

/** With this revocation Google also refunds the orders. */
function revoke(world: PlayItemsWorld, chain: ItemsChain): void {
  const running = ownedItems(world, chain).map(({ latestSuccessfulOrderId: id }) => id)
  world.store.revoke(chain.token)
  chain.isRevoked = true
  for (const order of world.orders) if (running.includes(order.orderId)) order.isReturned = true
}

/** Refunds the order of the first item and removes all access. */
function refund(world: PlayItemsWorld, chain: ItemsChain): void {
  const orderId = ownedItems(world, chain)[0]?.latestSuccessfulOrderId ?? ''
  const order = world.orders.find((one) => one.orderId === orderId)
  if (!order || order.charged.every(({ micros }) => micros === 0)) return
  world.store.refund(chain.token)
  chain.voidedOrderIds.push(orderId)
  order.isReturned = true
}

/** Plans that the subscription does not have and that do not come with its renewal. */
function freePlans(world: PlayItemsWorld, { token }: ItemsChain): SimulatedPlan[] {
  const items = world.subscription(token).resource.lineItems ?? []
  return PLANS.filter(({ productId }) => items.every((item) => item.productId !== productId))
}

function add(world: PlayItemsWorld, chain: ItemsChain, pick: number): void {
  const plan = pickFrom(freePlans(world, chain), pick)
  if (!plan || !renews(world, chain)) return
  world.store.addItem(chain.token, plan)
  addOrder(world, chain.token, ownedItems(world, chain).slice(-1))
}

/** The items that will be renewed as they are. */
const lasting = (world: PlayItemsWorld, chain: ItemsChain): Item[] =>
  ownedItems(world, chain).filter((item) => !item.deferredItemRemoval && !item.deferredItemReplacement)

function remove(world: PlayItemsWorld, chain: ItemsChain, pick: number): void {
  const items = lasting(world, chain)
  const item = pickFrom(items, pick)
  if (item && items.length > 1) world.store.removeItem(chain.token, item.productId ?? '')
}

function defer(world: PlayItemsWorld, chain: ItemsChain, pick: number): void {
  const item = pickFrom(lasting(world, chain), pick)
  const plan = pickFrom(freePlans(world, chain), pick)
  if (item && plan && renews(world, chain)) world.store.deferItem(chain.token, item.productId ?? '', plan)
}

/** A change of plan: a new purchase with other items, which replaces the old one. */
function change(world: PlayItemsWorld, chain: ItemsChain, pick: number): void {
  const [plan, ...addons] = plansAt(OPENINGS[(pick + 1) % OPENINGS.length] ?? [0])
  if (!plan) return
  const prorated = pick % 3 === 0 ? { prorated: { amountMicros: 1_110_000, currency: 'USD' } } : {}
  const next = world.store.upgrade(chain.token, plan, { addons, ...prorated })
  chain.replacedBy = next
  open(world, next)
}

const CARTS: readonly (readonly [Good, ...Good[]])[] = [
  ['coins.100', 'lifetime.one'],
  ['gift', 'coins.100'],
  ['lifetime.one', 'gift', 'coins.100'],
  ['coins.100'],
  ['lifetime.one'],
]

function buy(world: PlayItemsWorld, pick: number): void {
  const [productId, ...others] = CARTS[pick % CARTS.length] ?? ['coins.100']
  const quantity = productId === 'coins.100' ? 1 + (pick % 3) : 1
  const token = world.store.buy(productId, { quantity, accountId: world.name, others })
  const orderId = world.store.products.get(token)?.resource.orderId ?? ''
  const charged = [productId, ...others].map((good, index) => {
    const units = index === 0 ? quantity : 1
    return { productId: good, micros: units * GOODS[good], units, returned: 0 }
  })
  for (const one of charged) world.store.charge(orderId, one.productId, { amountMicros: one.micros, currency: 'USD' })
  world.carts.push(token)
  world.orders.push({ orderId, token, charged, isReturned: false })
  for (const one of charged) if (one.productId !== 'gift') world.post(token, one.productId)
}

const openCarts = (world: PlayItemsWorld) =>
  world.orders.filter(({ token, isReturned }) => world.carts.includes(token) && !isReturned).reverse()

function refundUnits(world: PlayItemsWorld, pick: number): void {
  const order = pickFrom(openCarts(world), pick)
  const one = pickFrom(order?.charged.filter(({ units, returned }) => returned < units) ?? [], pick)
  if (!order || !one) return
  world.store.refundUnits(order.token, 1, one.productId)
  one.returned += 1
}

function refundCart(world: PlayItemsWorld, pick: number): void {
  const order = pickFrom(openCarts(world), pick)
  if (!order) return
  world.store.refund(order.token)
  order.isReturned = true
}

function look(world: PlayItemsWorld, pick: number): void {
  const order = pickFrom(world.orders, pick)
  const one = pickFrom(order?.charged ?? [], pick)
  if (order && one) world.post(order.token, one.productId)
}

const pickFrom = <One>(all: readonly One[], pick: number): One | undefined => all[pick % (all.length || 1)]

export const PLAY_ITEMS_START = Date.UTC(2026, 10, 20, 8)

export interface PlayItemsScript {
  opening: number
  steps: readonly { turn: PlayItemTurn; gap: number; pick: number }[]
}

const TURNS = Object.keys(PLAY_ITEM_TURNS) as PlayItemTurn[]

const anyGap = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 25 }).map((days) => days * DAY) },
)

export const anyPlayItemsScript: fc.Arbitrary<PlayItemsScript> = fc.record({
  opening: fc.nat({ max: 11 }),
  steps: fc.array(fc.record({ turn: fc.constantFrom(...TURNS), gap: anyGap, pick: fc.nat({ max: 11 }) }), {
    maxLength: 10,
  }),
})

interface Staging {
  world?: PlayItemsWorld
  /** Called with each turn that was taken. */
  count?: (turn: PlayItemTurn) => void
}

/** Runs a script at the stand-in, turn by turn, and passes the facts of each turn to `listen`. */
export async function livePlayItems(
  { opening, steps }: PlayItemsScript,
  listen: (facts: readonly AndroidFact[], world: PlayItemsWorld) => void | Promise<void>,
  { world = new PlayItemsWorld(PLAY_ITEMS_START), count }: Staging = {},
): Promise<PlayItemsWorld> {
  PLAY_ITEM_TURNS.SUBSCRIBE(world, opening)
  await listen(world.takeFacts(), world)
  for (const { turn, gap, pick } of steps) {
    wait(world, gap)
    const taken = take(world, turn, pick)
    if (taken) count?.(taken)
    await listen(world.takeFacts(), world)
  }
  return world
}

/** Lets time pass, but not beyond the instant at which the store would act by itself. */
function wait(world: PlayItemsWorld, ms: number): void {
  const chain = currentChain(world)
  const limit = chain ? nextChangeAt(world, chain) - HOUR : Number.POSITIVE_INFINITY
  world.clock.at = Math.max(world.now + 1, Math.min(world.now + ms, limit))
}

function nextChangeAt(world: PlayItemsWorld, chain: ItemsChain): number {
  const { paidUntil, resource } = world.subscription(chain.token)
  switch (stateOf(world, chain)) {
    case 'ON_HOLD':
      return paidUntil + 30 * DAY
    case 'PAUSED':
      return Date.parse(resource.pausedStateContext?.autoResumeTime ?? '')
    case 'EXPIRED':
      return Number.POSITIVE_INFINITY
    default:
      return endOfChain(world, chain)
  }
}

/** The turn or, where it is impossible, another one that is possible; returns the one that was taken. */
function take(world: PlayItemsWorld, turn: PlayItemTurn, pick: number): PlayItemTurn | null {
  for (let hop = 0; hop < TURNS.length; hop++) {
    const next = TURNS[(TURNS.indexOf(turn) + hop * STRIDE) % TURNS.length]
    if (!next) continue
    PLAY_ITEM_TURNS[next](world, pick)
    if (world.factCount > 0) return next
  }
  return null
}

/** Prime to the number of turns, so the search reaches each turn once. */
const STRIDE = 5
