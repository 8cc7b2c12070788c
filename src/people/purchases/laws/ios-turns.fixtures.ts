import { DAY, HOUR } from '../../../base/lib/clock'
import type { TransactionPayload } from '../../../stores/ios/decode'
import { type SimulatedProduct, simulatedCopy } from '../../../test-store/stores/ios'
import {
  buyInChain,
  buyItem,
  CHARGED_EARLY_MS,
  currentOf,
  endOf,
  GRACE_MS,
  IOS_SHOP,
  type IosChain,
  type IosSale,
  type IosWorld,
  isShared,
  laterThan,
  nextProductOf,
  renewChain,
} from './ios-world.fixtures'

/** A turn of a chain. A turn that is impossible changes nothing. `pick` selects among variants. */
type Turn = (world: IosWorld, chain: IosChain, pick: number) => void

export const IOS_TURNS = {
  RENEW: renew,
  CANCEL: (world, chain) => setAutoRenew(world, chain, false),
  UNCANCEL: (world, chain) => setAutoRenew(world, chain, true),
  UPGRADE: upgrade,
  DOWNGRADE: downgrade,
  KEEP: keep,
  FAIL_GRACE: (world, chain) => fail(world, chain, true),
  FAIL: (world, chain) => fail(world, chain, false),
  GRACE_OVER: endGrace,
  EXPIRE: expire,
  RESUBSCRIBE: resubscribe,
  ASK_CONSENT: (world, chain) => consent(world, chain, null),
  CONSENT: (world, chain) => consent(world, chain, 0),
  EXTEND: extend,
  REFUND: refund,
  REVERSE: reverse,
  REVOKE: revoke,
  RECEIPT: showAny,
  RESTORE: restore,
  NOISE: makeNoise,
  COINS: (world, _, pick) => sellItem(world, IOS_SHOP.coins, 1 + (pick % 3)),
  LIFETIME: (world) => sellItem(world, IOS_SHOP.lifetime, 1),
  PASS: sellPass,
} as const satisfies Record<string, Turn>

export type IosTurn = keyof typeof IOS_TURNS

const isTakenBack = ({ returned, isRevoked }: IosSale): boolean => returned !== null || isRevoked
const WHOLE = 100_000

/** Whether the store can charge the next period. */
const goesOn = (chain: IosChain): boolean => !chain.isOver && !isTakenBack(currentOf(chain))

const isRunning = ({ now }: IosWorld, chain: IosChain): boolean =>
  goesOn(chain) && chain.trouble === 'NONE' && now < endOf(currentOf(chain))

/** A period that was charged early starts later; the customer cannot buy before its beginning. */
const hasBegun = ({ now }: IosWorld, chain: IosChain): boolean => now >= currentOf(chain).payload.purchaseDate

/** Lets time pass, but not beyond the instant at which the store would act by itself. */
export function wait(world: IosWorld, ms: number, leastMs: number): void {
  const limit = Math.min(...world.chains.map(nextChangeAt))
  world.now = Math.max(world.now + leastMs, Math.min(world.now + ms, limit - HOUR))
}

function nextChangeAt(chain: IosChain): number {
  if (!goesOn(chain)) return Number.POSITIVE_INFINITY
  if (chain.trouble === 'GRACE') return chain.graceUntil ?? Number.POSITIVE_INFINITY
  if (chain.trouble === 'RETRY') return endOf(currentOf(chain)) + 59 * DAY
  return chain.autoRenews ? endOf(currentOf(chain)) : Number.POSITIVE_INFINITY
}

function renew(world: IosWorld, chain: IosChain, pick: number): void {
  if (!goesOn(chain) || !chain.autoRenews || chain.consent === 0) return
  const isRecovery = chain.trouble !== 'NONE'
  if (!isRecovery) world.now = Math.max(world.now, endOf(currentOf(chain)) - (pick % 2) * CHARGED_EARLY_MS)
  if (chain.consent === 1) chain.raisedBy += 1000
  renewChain(world, chain, nextProductOf(chain))
  world.notifyOf(['DID_RENEW', isRecovery ? 'BILLING_RECOVERY' : null], chain)
}

function setAutoRenew(world: IosWorld, chain: IosChain, isOn: boolean): void {
  const isPossible = isOn ? isRunning(world, chain) : goesOn(chain) && world.now < endOf(currentOf(chain))
  if (!isPossible || chain.autoRenews === isOn || isShared(chain)) return
  chain.autoRenews = isOn
  world.notifyOf(['DID_CHANGE_RENEWAL_STATUS', isOn ? 'AUTO_RENEW_ENABLED' : 'AUTO_RENEW_DISABLED'], chain)
}

function upgrade(world: IosWorld, chain: IosChain, pick: number): void {
  const old = currentOf(chain)
  const isPossible = isRunning(world, chain) && hasBegun(world, chain) && !isShared(chain)
  if (!isPossible || old.payload.productId !== IOS_SHOP.monthly.productId) return
  old.payload = { ...old.payload, isUpgraded: true, signedDate: laterThan(old, world.now) }
  buyInChain(world, chain, pick % 3 === 1 ? IOS_SHOP.committed : IOS_SHOP.yearly, 'CHANGE')
  world.notifyOf(['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'], chain)
  if (pick % 2 === 0) world.show(old)
}

function downgrade(world: IosWorld, chain: IosChain): void {
  const isYearly = currentOf(chain).payload.productId === IOS_SHOP.yearly.productId
  if (!isRunning(world, chain) || !isYearly || chain.nextProductId !== null || isShared(chain)) return
  chain.nextProductId = IOS_SHOP.monthly.productId
  world.notifyOf(['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE'], chain)
}

function keep(world: IosWorld, chain: IosChain): void {
  if (!isRunning(world, chain) || chain.nextProductId === null) return
  chain.nextProductId = null
  world.notifyOf(['DID_CHANGE_RENEWAL_PREF', null], chain)
}

function fail(world: IosWorld, chain: IosChain, hasGrace: boolean): void {
  if (!goesOn(chain) || chain.trouble !== 'NONE' || !chain.autoRenews) return
  const end = endOf(currentOf(chain))
  world.now = Math.max(world.now, end)
  Object.assign(chain, { trouble: hasGrace ? 'GRACE' : 'RETRY', graceUntil: hasGrace ? end + GRACE_MS : null })
  world.notifyOf(['DID_FAIL_TO_RENEW', hasGrace ? 'GRACE_PERIOD' : null], chain)
}

function endGrace(world: IosWorld, chain: IosChain): void {
  if (!goesOn(chain) || chain.trouble !== 'GRACE') return
  world.now = Math.max(world.now, chain.graceUntil ?? 0)
  Object.assign(chain, { trouble: 'RETRY', graceUntil: null })
  world.notifyOf(['GRACE_PERIOD_EXPIRED', null], chain)
}

function expire(world: IosWorld, chain: IosChain, pick: number): void {
  if (!goesOn(chain) || chain.trouble === 'GRACE') return
  const subtype = endingOf(chain, pick)
  if (subtype === null) return
  world.now = Math.max(world.now, endOf(currentOf(chain)))
  Object.assign(chain, { isOver: true, trouble: 'NONE', graceUntil: null })
  world.notifyOf(['EXPIRED', subtype], chain)
}

function endingOf(chain: IosChain, pick: number): string | null {
  if (chain.trouble === 'RETRY') return 'BILLING_RETRY'
  if (!chain.autoRenews) return 'VOLUNTARY'
  if (chain.consent === 0) return 'PRICE_INCREASE'
  return pick % 3 === 0 ? 'PRODUCT_NOT_FOR_SALE' : null
}

function resubscribe(world: IosWorld, chain: IosChain, pick: number): void {
  const isLapsed = !goesOn(chain) || (chain.trouble === 'NONE' && world.now > endOf(currentOf(chain)))
  if (!isLapsed || !hasBegun(world, chain)) return
  const yearly = pick % 2 === 0 ? IOS_SHOP.yearly : IOS_SHOP.committed
  const product = pick % 3 === 0 && !isShared(chain) ? yearly : IOS_SHOP.monthly
  const sale = buyInChain(world, chain, product, 'AGAIN')
  const isOffer = pick % 2 === 0
  if (isOffer) Object.assign(sale.payload, { offerType: 3, offerIdentifier: 'WELCOME_BACK' })
  world.notifyOf([isOffer ? 'OFFER_REDEEMED' : 'SUBSCRIBED', 'RESUBSCRIBE'], chain)
}

function consent(world: IosWorld, chain: IosChain, before: 0 | null): void {
  const isPossible = isRunning(world, chain) && chain.autoRenews && chain.consent === before
  if (!isPossible) return
  chain.consent = before === null ? 0 : 1
  world.notifyOf(['PRICE_INCREASE', before === null ? 'PENDING' : 'ACCEPTED'], chain)
}

function extend(world: IosWorld, chain: IosChain, pick: number): void {
  const sale = currentOf(chain)
  if (!isRunning(world, chain) || chain.consent === 0) return
  const expiresDate = endOf(sale) + (1 + (pick % 3)) * 7 * DAY
  sale.payload = { ...sale.payload, expiresDate, signedDate: laterThan(sale, world.now) }
  world.notifyOf(['RENEWAL_EXTENDED', null], chain)
}

const SHARES = [WHOLE, WHOLE, 33_333, 50_000]

/** Refunds any charge of the customer, completely or in part. */
function refund(world: IosWorld, chain: IosChain, pick: number): void {
  const paid = (sale: IosSale) => (sale.payload.price ?? 0) > 0 && sale.returned === null
  const sale = pickFrom([...(isShared(chain) ? [] : chain.sales), ...world.items].filter(paid).reverse(), pick)
  if (!sale) return
  const revocationPercentage = SHARES[pick % SHARES.length] ?? WHOLE
  const revocationType = revocationPercentage === WHOLE ? 'REFUND_FULL' : 'REFUND_PRORATED'
  const revocationDate = laterThan(sale, world.now)
  const back = { revocationDate, revocationReason: pick % 2, revocationType, revocationPercentage }
  sale.payload = { ...sale.payload, ...back, signedDate: revocationDate }
  sale.returned = revocationPercentage
  if (sale === currentOf(chain)) chain.autoRenews = false
  notifyOf(world, chain, sale, 'REFUND')
}

function reverse(world: IosWorld, chain: IosChain, pick: number): void {
  const returned = [...chain.sales, ...world.items].filter((sale) => sale.returned !== null)
  const sale = pickFrom(returned.reverse(), pick)
  if (!sale) return
  sale.payload = { ...withoutRefund(sale.payload), signedDate: laterThan(sale, world.now) }
  sale.returned = null
  notifyOf(world, chain, sale, 'REFUND_REVERSED')
}

function withoutRefund(payload: TransactionPayload): TransactionPayload {
  const { revocationDate: _1, revocationReason: _2, ...rest } = payload
  const { revocationType: _3, revocationPercentage: _4, ...kept } = rest as Record<string, unknown>
  return kept as TransactionPayload // Two members that the schema does not have are removed too.
}

function notifyOf(world: IosWorld, chain: IosChain, sale: IosSale, type: string): void {
  if (chain.sales.includes(sale)) world.notifyOf([type, null], chain, sale)
  else world.notify([type, null], sale)
}

function revoke(world: IosWorld, chain: IosChain): void {
  const sale = currentOf(chain)
  if (!isShared(chain) || !goesOn(chain)) return
  sale.payload = { ...sale.payload, revocationDate: world.now, signedDate: laterThan(sale, world.now) }
  sale.isRevoked = true
  chain.autoRenews = false
  world.notifyOf(['REVOKE', null], chain)
}

function showAny(world: IosWorld, chain: IosChain, pick: number): void {
  const sale = pickFrom([...chain.sales, ...world.items].reverse(), pick)
  if (sale) world.show(sale)
}

/**
 * A restore, or a second device, makes a copy with an id of its own. From then on the store names the sale by one of both.
 * The copy of a non-consumable may have the date of the restore.
 */
function restore(world: IosWorld, chain: IosChain, pick: number): void {
  const sale = pickFrom([...chain.sales, ...world.items.filter(isLasting)].reverse(), pick)
  if (!sale) return
  const { payload } = sale
  const purchaseDate = isLifetime(sale) && pick % 3 === 0 ? world.now : payload.purchaseDate
  const copy = simulatedCopy(payload, { transactionId: world.nextId(), now: world.now, purchaseDate })
  sale.ids.push(copy.transactionId)
  sale.payload = copy
  world.show(sale)
  if (pick % 2 === 0) sale.payload = { ...payload, signedDate: sale.payload.signedDate + 1 }
}

const isLifetime = ({ payload }: IosSale): boolean => payload.productId === IOS_SHOP.lifetime.productId

/** Sold once, and restored with an id of its own. */
const isLasting = (sale: IosSale): boolean => isLifetime(sale) || sale.payload.productId === IOS_SHOP.pass.productId

const NOISE = ['CONSUMPTION_REQUEST', 'REFUND_DECLINED', 'METADATA_UPDATE', 'MOON_PHASE']

function makeNoise(world: IosWorld, chain: IosChain, pick: number): void {
  world.notifyOf([NOISE[pick % NOISE.length] ?? 'TEST', null], chain)
}

/** Of several passes at different instants each is a purchase, under the id of the first one or under its own. */
function sellPass(world: IosWorld, _: IosChain, pick: number): void {
  if (!world.hasPasses) return
  const earlier = world.items.find(({ payload }) => payload.productId === IOS_SHOP.pass.productId)
  const isAlone = world.items.every(({ payload }) => payload.purchaseDate < world.now)
  sellItem(world, IOS_SHOP.pass, 1, pick % 2 === 0 && isAlone ? earlier : undefined)
}

function sellItem(world: IosWorld, product: SimulatedProduct, quantity: number, previous?: IosSale): void {
  const sale = buyItem(world, product, quantity, previous)
  world.notify(['ONE_TIME_CHARGE', null], sale)
  world.show(sale)
}

const pickFrom = <Item>(items: readonly Item[], pick: number): Item | undefined => items[pick % (items.length || 1)]
