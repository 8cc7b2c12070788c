import { DAY, HOUR } from '../../../base/lib/clock'
import { currentOrder, priceRaised, type SimulatedPlan } from '../../../test-store/stores/android'
import { aboutSubscription, aboutVoided } from '../../../test-store/stores/android-push'
import {
  asIntroductory,
  currentChain,
  expiryOf,
  itemOf,
  PLAY_SHOP,
  type PlayChain,
  type PlayOrder,
  type PlayWorld,
  stateOf,
  withItem,
} from './android-world.fixtures'

/** A turn of a customer of Google Play. A turn that is impossible changes nothing. */
type Turn = (world: PlayWorld, pick: number) => void
type ChainTurn = (world: PlayWorld, chain: PlayChain, pick: number) => void

/** A turn of the newest subscription while it is in one of these states. */
const inState =
  (states: readonly string[], turn: ChainTurn): Turn =>
  (world, pick) => {
    const chain = currentChain(world)
    if (chain && states.includes(stateOf(world, chain.token))) turn(world, chain, pick)
  }

export const PLAY_TURNS = {
  SUBSCRIBE: subscribe,
  RENEW: inState(['ACTIVE', 'IN_GRACE_PERIOD', 'ON_HOLD', 'PAUSED'], renew),
  CANCEL: inState(['ACTIVE'], (world, chain) => {
    if (renews(world, chain)) world.store.cancel(chain.token)
  }),
  RESTART: inState(['CANCELED'], (world, { token }) => world.store.restart(token)),
  FAIL: inState(['ACTIVE'], (world, chain) => atEnd(world, chain, () => world.store.failPayment(chain.token))),
  HOLD: inState(['ACTIVE', 'IN_GRACE_PERIOD'], (world, chain) =>
    atEnd(world, chain, () => world.store.hold(chain.token)),
  ),
  PAUSE: inState(['ACTIVE'], (world, chain) => atEnd(world, chain, () => world.store.pause(chain.token))),
  DEFER: inState(['ACTIVE'], (world, chain) => {
    if (renews(world, chain)) world.store.defer(chain.token, 'P1W')
  }),
  EXPIRE: inState(['ACTIVE', 'CANCELED', 'IN_GRACE_PERIOD', 'ON_HOLD', 'PAUSED'], expire),
  REVOKE: inState(['ACTIVE', 'CANCELED', 'IN_GRACE_PERIOD'], revoke),
  REFUND: inState(['ACTIVE', 'CANCELED', 'IN_GRACE_PERIOD', 'EXPIRED'], refund),
  REFUND_EARLIER: refundEarlier,
  CHANGE: inState(['ACTIVE', 'CANCELED', 'IN_GRACE_PERIOD', 'ON_HOLD'], changePlan),
  TOP_UP: inState(['ACTIVE'], topUp),
  RAISE: inState(['ACTIVE'], raisePrice),
  CONFIRM: inState(['ACTIVE'], confirmPrice),
  COINS: (world, pick) => buyItem(world, PLAY_SHOP.coins, 1 + (pick % 3), pick % 4 === 3),
  LIFETIME: (world, pick) => buyItem(world, PLAY_SHOP.lifetime, 1, pick % 4 === 3),
  SETTLE: settle,
  UNITS: refundUnit,
  ITEM_REFUND: refundItem,
  LOOK: look,
} as const satisfies Record<string, Turn>

export type PlayTurn = keyof typeof PLAY_TURNS

/** Lets time pass, but not beyond the instant at which the store would act by itself. */
export function wait(world: PlayWorld, ms: number, leastMs: number): void {
  const chain = currentChain(world)
  const limit = chain ? nextChangeAt(world, chain) - HOUR : Number.POSITIVE_INFINITY
  world.clock.at = Math.max(world.now + leastMs, Math.min(world.now + ms, limit))
}

function nextChangeAt(world: PlayWorld, { token }: PlayChain): number {
  const { paidUntil, resource } = world.subscription(token)
  switch (stateOf(world, token)) {
    case 'ACTIVE':
    case 'CANCELED':
      return paidUntil
    case 'IN_GRACE_PERIOD':
      return expiryOf(world, token)
    case 'ON_HOLD':
      return paidUntil + 30 * DAY
    case 'PAUSED':
      return Date.parse(resource.pausedStateContext?.autoResumeTime ?? '')
    default:
      return Number.POSITIVE_INFINITY
  }
}

const isPrepaid = ({ plan }: PlayChain): boolean => plan.isPrepaid === true

const renews = (world: PlayWorld, { token }: PlayChain): boolean =>
  itemOf(world, token).autoRenewingPlan?.autoRenewEnabled === true

const isAsked = (world: PlayWorld, { token }: PlayChain): boolean =>
  itemOf(world, token).autoRenewingPlan?.priceChangeDetails?.priceChangeState === 'OUTSTANDING'

/** What the store does by itself at the end of a paid period or of a grace period. */
function atEnd(world: PlayWorld, chain: PlayChain, turn: () => void): void {
  if (!renews(world, chain) || isAsked(world, chain)) return
  world.clock.at = Math.max(world.now, expiryOf(world, chain.token))
  turn()
}

const OFFERS: [plan: SimulatedPlan, kind: 'PLAIN' | 'TRIAL' | 'INTRODUCTORY' | 'PREPAID'][] = [
  [PLAY_SHOP.monthly, 'PLAIN'],
  [PLAY_SHOP.monthly, 'TRIAL'],
  [PLAY_SHOP.yearly, 'PLAIN'],
  [PLAY_SHOP.monthly, 'INTRODUCTORY'],
  [{ ...PLAY_SHOP.monthly, isPrepaid: true }, 'PREPAID'],
  [PLAY_SHOP.yearly, 'TRIAL'],
]

function subscribe(world: PlayWorld, pick: number): void {
  const held = currentChain(world)
  const [plan, kind] = OFFERS[pick % OFFERS.length] ?? [PLAY_SHOP.monthly, 'PLAIN']
  if (held && stateOf(world, held.token) !== 'EXPIRED') return
  const token = world.store.subscribe(plan, { withTrial: kind === 'TRIAL', accountId: world.name })
  if (kind === 'INTRODUCTORY') world.amend(token, asIntroductory)
  open(world, token, plan, {
    how: 'FIRST',
    isTrial: kind === 'TRIAL',
    micros: kind === 'PLAIN' ? microsOf(plan) : null,
  })
}

const microsOf = ({ price }: SimulatedPlan): number => price.amountMicros

function open(
  world: PlayWorld,
  token: string,
  plan: SimulatedPlan,
  order: Pick<PlayOrder, 'how' | 'isTrial' | 'micros'>,
): void {
  const chain: PlayChain = { token, plan, orders: [], isRevoked: false, replacedBy: null }
  world.chains.push(chain)
  addOrder(world, chain, { ...order, micros: order.isTrial ? 0 : order.micros })
  world.post(token, plan.productId)
}

function addOrder(world: PlayWorld, chain: PlayChain, order: Pick<PlayOrder, 'how' | 'isTrial' | 'micros'>): void {
  const orderId = currentOrder(world.subscription(chain.token))
  chain.orders.push({ ...order, orderId, productId: chain.plan.basePlanId, isVoided: false, isReturned: false })
}

function renew(world: PlayWorld, chain: PlayChain): void {
  const { token } = chain
  if (!renews(world, chain) || isAsked(world, chain)) return
  if (stateOf(world, token) === 'ACTIVE') world.clock.at = Math.max(world.now, world.subscription(token).paidUntil)
  const changed = itemOf(world, token).autoRenewingPlan?.priceChangeDetails?.newPrice
  if (changed)
    world.amend(
      token,
      withItem((item) => ({ ...item, autoRenewingPlan: { autoRenewEnabled: true, recurringPrice: changed } })),
    )
  world.store.renew(token)
  const { units, nanos } = itemOf(world, token).autoRenewingPlan?.recurringPrice ?? {}
  addOrder(world, chain, { how: 'RENEWAL', isTrial: false, micros: Number(units) * 1_000_000 + Number(nanos) / 1000 })
}

function expire(world: PlayWorld, chain: PlayChain): void {
  const { token } = chain
  const state = stateOf(world, token)
  if (state === 'ACTIVE' && renews(world, chain) && !isAsked(world, chain)) return
  if (state !== 'ON_HOLD' && state !== 'PAUSED') world.clock.at = Math.max(world.now, expiryOf(world, token))
  world.store.expire(token)
}

function revoke(world: PlayWorld, chain: PlayChain): void {
  world.store.revoke(chain.token)
  chain.isRevoked = true
  const order = chain.orders.at(-1)
  if (order) order.isReturned = true // With this revocation Google also refunds the order.
}

/** Refunds the current order and removes its access. After a revocation the refund may follow. */
function refund(world: PlayWorld, chain: PlayChain, pick: number): void {
  const order = chain.orders.at(-1)
  const isOver = stateOf(world, chain.token) === 'EXPIRED' && !chain.isRevoked
  if (!order || order.isVoided || order.isTrial || isOver) return
  world.store.refund(chain.token, pick % 5 === 0 ? 7 : 0)
  Object.assign(order, { isVoided: true, isReturned: true })
}

/** Refunds an earlier order; nothing else changes. */
function refundEarlier(world: PlayWorld, pick: number): void {
  const earlier = world.chains.flatMap(({ token, orders }) => orders.slice(0, -1).map((order) => ({ token, order })))
  const open = earlier.filter(({ order }) => !order.isVoided && !order.isTrial)
  const found = open[pick % (open.length || 1)]
  if (!found) return
  Object.assign(found.order, { isVoided: true, isReturned: true })
  world.notify(aboutVoided({ token: found.token, orderId: found.order.orderId, productType: 1, refundType: 1 }))
}

/** An upgrade, a downgrade, or the same plan bought again before its end: a new purchase replaces the old one. */
function changePlan(world: PlayWorld, chain: PlayChain, pick: number): void {
  const isSame = stateOf(world, chain.token) === 'CANCELED' && pick % 2 === 0
  const other = chain.plan.basePlanId === 'monthly' ? PLAY_SHOP.yearly : PLAY_SHOP.monthly
  const plan = isSame ? chain.plan : other
  if (isPrepaid(chain)) return
  const next = world.store.upgrade(chain.token, plan)
  chain.replacedBy = next
  const isConversion = isSame && chain.orders.at(-1)?.isTrial === true
  const how = isConversion ? 'FIRST' : isSame ? 'RENEWAL' : 'CHANGE'
  open(world, next, plan, { how, isTrial: false, micros: microsOf(plan) })
}

function topUp(world: PlayWorld, chain: PlayChain): void {
  if (!isPrepaid(chain)) return
  const next = world.store.topUp(chain.token)
  chain.replacedBy = next
  open(world, next, chain.plan, { how: 'RENEWAL', isTrial: false, micros: null })
}

function raisePrice(world: PlayWorld, chain: PlayChain): void {
  const plan = itemOf(world, chain.token).autoRenewingPlan
  if (!renews(world, chain) || plan?.priceChangeDetails) return
  const price = { amountMicros: Number(plan?.recurringPrice?.units) * 1_000_000 + 1_990_000, currency: 'USD' }
  world.amend(chain.token, (one) => priceRaised(one, price, 'OUTSTANDING'))
  world.notify(aboutSubscription('SUBSCRIPTION_PRICE_CHANGE_UPDATED', 19, chain.token))
}

function confirmPrice(world: PlayWorld, chain: PlayChain): void {
  if (!isAsked(world, chain)) return
  const confirmed = { priceChangeState: 'CONFIRMED' }
  world.amend(
    chain.token,
    withItem(({ autoRenewingPlan: plan, ...item }) => ({
      ...item,
      autoRenewingPlan: { ...plan, priceChangeDetails: { ...plan?.priceChangeDetails, ...confirmed } },
    })),
  )
  world.notify(aboutSubscription('SUBSCRIPTION_PRICE_CHANGE_CONFIRMED', 8, chain.token))
}

function buyItem(world: PlayWorld, productId: string, quantity: number, isPending: boolean): void {
  const token = isPending
    ? world.store.buyPending(productId)
    : world.store.buy(productId, { quantity, accountId: world.name })
  const bought = isPending ? 1 : quantity
  world.items.push({ token, productId, quantity: bought, left: bought, isPaid: !isPending })
  world.post(token, productId)
}

function settle(world: PlayWorld, pick: number): void {
  const item = world.items.find(({ isPaid, left }) => !isPaid && left > 0)
  if (!item) return
  const isPaid = pick % 3 !== 0
  world.store.settle(item.token, isPaid)
  Object.assign(item, { isPaid, left: isPaid ? item.left : 0 })
}

function refundUnit(world: PlayWorld): void {
  const item = world.items.find(({ isPaid, left }) => isPaid && left > 0)
  if (!item) return
  world.store.refundUnits(item.token, 1)
  item.left -= 1
}

function refundItem(world: PlayWorld): void {
  const item = world.items.find(({ isPaid, left }) => isPaid && left > 0)
  if (!item) return
  world.store.refund(item.token)
  item.left = 0
}

function look(world: PlayWorld, pick: number): void {
  const posts = [
    ...world.chains.map(({ token, plan }) => ({ token, productId: plan.productId })),
    ...world.items.map(({ token, productId }) => ({ token, productId })),
  ]
  const post = posts[pick % (posts.length || 1)]
  if (post) world.post(post.token, post.productId)
}
