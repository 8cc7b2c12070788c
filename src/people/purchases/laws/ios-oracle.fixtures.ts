import { DAY } from '../../../base/lib/clock'
import { addPeriod } from '../../../base/lib/period'
import type { PurchaseStatus } from '../../../core/purchase/status'
import {
  currentOf,
  endOf,
  IOS_SHOP,
  type IosChain,
  type IosSale,
  type IosWorld,
  isCommitted,
  isShared,
  nextPriceOf,
} from './ios-world.fixtures'

// The expected result of a life, computed only from the data of the test store and from wire 4.2, 5.5 and 5.7.

const WHOLE = 100_000

/**
 * The status by the table of wire 4.2: the first line that matches. `heardAt` is the time of the store's last message.
 */
export function expectedStatus(chain: IosChain, now: number, heardAt: number): PurchaseStatus {
  const current = currentOf(chain)
  const { payload, returned, isRevoked } = current
  const end = endOf(current)
  const isInTrouble = chain.trouble !== 'NONE'
  const isInGrace = chain.trouble === 'GRACE' && chain.graceUntil !== null && now < chain.graceUntil
  const isSilent = now >= Math.max(end, heardAt < end + 60 * DAY ? end : heardAt) + 60 * DAY
  if (isRevoked) return 'REVOKED'
  if (returned !== null) return 'REFUNDED'
  if (isInGrace) return 'GRACE_PERIOD'
  if (isInTrouble && now >= end) return isSilent ? 'EXPIRED' : 'BILLING_RETRY'
  if (now >= end) return 'EXPIRED'
  return payload.price === 0 && payload.offerType === 1 ? 'TRIAL' : 'ACTIVE'
}

export const hasAccess = (status: PurchaseStatus): boolean => ['TRIAL', 'ACTIVE', 'GRACE_PERIOD'].includes(status)

/** Auto-renew, end, next product and consent of a chain, as the store last reported them. */
export const expectedCourse = (chain: IosChain) => ({
  autoRenews: chain.autoRenews,
  expiresAt: endOf(currentOf(chain)),
  pendingStoreProductId: chain.nextProductId,
  priceConsent: chain.consent === null ? null : ['PENDING', 'ACCEPTED'][chain.consent],
})

/** The customer's accesses at an instant with their ends; null = never ends. The latest end wins. */
export function expectedAccess(world: IosWorld, now: number): Record<string, number | null> {
  const held: Record<string, number | null> = {}
  const give = (access: string, end: number) => {
    held[access] = Math.max(held[access] ?? 0, end)
  }
  for (const chain of world.chains) {
    if (!hasAccess(expectedStatus(chain, now, heardAt(world, chain)))) continue
    const end = Math.max(endOf(currentOf(chain)), chain.trouble === 'GRACE' ? (chain.graceUntil ?? 0) : 0)
    give('pro', end)
    if (currentOf(chain).payload.productId === IOS_SHOP.yearly.productId) give('coach', end)
  }
  for (const { payload, returned } of world.items.filter(isPass)) {
    const end = addPeriod(payload.purchaseDate, IOS_SHOP.pass.period)
    if (returned === null && now < end) give('coach', end)
  }
  const owned = world.items.filter((sale) => isLifetime(sale) && sale.returned === null)
  return owned.length > 0 ? { ...held, pro: null } : held
}

const isPass = ({ payload }: IosSale): boolean => payload.productId === IOS_SHOP.pass.productId
const isLifetime = ({ payload }: IosSale): boolean => payload.productId === IOS_SHOP.lifetime.productId

/** When the store last signed something about a chain. */
export function heardAt({ facts }: IosWorld, { sales }: IosChain): number {
  const ids = sales.flatMap((sale) => sale.ids)
  const signed = facts.flatMap((fact) => {
    const payload = fact.kind === 'RECEIPT' ? fact.payload : fact.order.transaction
    const isAbout = payload !== null && ids.includes(payload.transactionId) && isHeard(fact)
    return isAbout ? [fact.at, payload.signedDate] : []
  })
  return Math.max(...signed)
}

const UNHEARD = ['CONSUMPTION_REQUEST', 'REFUND_DECLINED', 'METADATA_UPDATE']
const isHeard = (fact: IosWorld['facts'][number]): boolean =>
  fact.kind === 'RECEIPT' || !UNHEARD.includes(fact.order.kind[0])

/**
 * Micros for each month by purchases 4.1: the price that the store told for the next period, when that is of the same
 * product without an offer; else what the running period cost. A trial and a family share count nothing.
 */
export function expectedMrr(world: IosWorld, now: number): number {
  const counted = world.chains.filter((chain) => !isShared(chain))
  return counted.reduce((sum, chain) => {
    const status = expectedStatus(chain, now, heardAt(world, chain))
    const { payload } = currentOf(chain)
    const isTrial = payload.price === 0 && payload.offerType === 1
    if ((status !== 'ACTIVE' && status !== 'GRACE_PERIOD') || isTrial) return sum
    const hasOffer = payload.offerType !== undefined
    const isTold = chain.nextProductId === null && !hasOffer && chain.consent !== 0
    const micros = (isTold ? nextPriceOf(chain) : (payload.price ?? 0)) * 1000
    const isOfYear = payload.productId === IOS_SHOP.yearly.productId && !isCommitted(payload)
    return sum + (isOfYear ? Math.round(micros / 12) : micros)
  }, 0)
}

/** Micros that the customer paid, less refunds. A family member who shares a subscription pays nothing. */
export function expectedMoney(world: IosWorld): number {
  const sales = [...world.chains.filter((chain) => !isShared(chain)).flatMap((chain) => chain.sales), ...world.items]
  return sales.reduce((sum, sale) => sum + keptOf(sale), 0)
}

function keptOf({ payload: { price = 0 }, returned }: IosSale): number {
  const paid = price * 1000
  return paid - Math.round((paid * (returned ?? 0)) / WHOLE)
}

/**
 * Wire 5.7 with the cast's catalogue and clawback `full`: 100 coins for each unit of coins, less the refunded part; 500 for
 * a yearly period that is the first paid one or a later charge, not for a change to it.
 */
export function expectedCoins(world: IosWorld): number {
  const coins = world.items.filter(({ payload }) => payload.productId === IOS_SHOP.coins.productId)
  const kept = coins.map(({ payload, returned }) => {
    const given = (payload.quantity ?? 1) * 100
    return given - Math.floor((given * (returned ?? 0)) / WHOLE)
  })
  const years = world.chains.filter((chain) => !isShared(chain)).flatMap(grantingYears)
  return kept.reduce((sum, count) => sum + count, 0) + years.length * 500
}

function grantingYears({ sales }: IosChain): IosSale[] {
  const paid = sales.filter(({ payload }) => !(payload.offerType === 1 && payload.price === 0))
  return paid.filter(
    (sale, index) =>
      (index === 0 || sale.how !== 'CHANGE') &&
      sale.payload.productId === IOS_SHOP.yearly.productId &&
      sale.returned !== WHOLE,
  )
}
