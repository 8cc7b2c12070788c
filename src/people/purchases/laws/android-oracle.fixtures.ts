import { DAY } from '../../../base/lib/clock'
import type { PurchaseStatus } from '../../../core/purchase/status'
import {
  expiryOf,
  itemOf,
  PLAY_SHOP,
  type PlayChain,
  type PlayItem,
  type PlayOrder,
  type PlayWorld,
  stateOf,
} from './android-world.fixtures'

// The expected result of a life, computed only from the data of the stand-in and from wire 4.2, 5.5 and 5.7.

/** The status by wire 4.2 when the store reports nothing more. */
export function expectedStatus(world: PlayWorld, chain: PlayChain, now: number): PurchaseStatus {
  const order = chain.orders.at(-1)
  const { paidUntil } = world.subscription(chain.token)
  const end = expiryOf(world, chain.token)
  const retry = now >= paidUntil + 60 * DAY ? 'EXPIRED' : 'BILLING_RETRY'
  if (order?.isVoided) return 'REFUNDED'
  if (chain.isRevoked) return 'REVOKED'
  if (chain.replacedBy !== null) return 'EXPIRED'
  switch (stateOf(world, chain.token)) {
    case 'IN_GRACE_PERIOD':
      return now < end ? 'GRACE_PERIOD' : retry
    case 'ON_HOLD':
      return retry
    case 'PAUSED':
      return 'PAUSED'
    case 'EXPIRED':
      return 'EXPIRED'
    default:
      return now >= end ? 'EXPIRED' : order?.isTrial ? 'TRIAL' : 'ACTIVE'
  }
}

export const hasAccess = (status: PurchaseStatus): boolean => ['TRIAL', 'ACTIVE', 'GRACE_PERIOD'].includes(status)

/** The customer's accesses at an instant with their ends; null = never ends. The latest end wins. */
export function expectedAccess(world: PlayWorld, now: number): Record<string, number | null> {
  const held: Record<string, number | null> = {}
  for (const chain of world.chains) {
    if (!hasAccess(expectedStatus(world, chain, now))) continue
    const end = expiryOf(world, chain.token)
    for (const access of chain.plan.basePlanId === 'yearly' ? ['coach', 'pro'] : ['pro'])
      held[access] = Math.max(held[access] ?? 0, end)
  }
  const isOwned = ({ productId, isPaid, left }: PlayItem) => productId === PLAY_SHOP.lifetime && isPaid && left > 0
  return world.items.some(isOwned) ? { ...held, pro: null } : held
}

/** Whether the store will charge again; null when the purchase is over. */
export function expectedRenewal(world: PlayWorld, { token }: PlayChain): boolean | null {
  if (stateOf(world, token) === 'EXPIRED') return null
  return itemOf(world, token).autoRenewingPlan?.autoRenewEnabled === true
}

const ordersOf = ({ chains }: PlayWorld): PlayOrder[] => chains.flatMap(({ orders }) => orders)

/** Micros that were charged, where the API gives the price, and not refunded. */
export const expectedMoney = (world: PlayWorld): number =>
  ordersOf(world).reduce((sum, { micros, isReturned }) => sum + (isReturned ? 0 : (micros ?? 0)), 0)

/**
 * 100 coins for each unit of an order that was not refunded completely. 500 for each yearly period, except for a change
 * to it.
 */
export function expectedCoins(world: PlayWorld): number {
  const coins = world.items.filter(({ productId, isPaid, left }) => productId === PLAY_SHOP.coins && isPaid && left > 0)
  const granting = ({ isTrial, how, productId, isReturned }: PlayOrder) =>
    productId === PLAY_SHOP.yearly.basePlanId && !isTrial && how !== 'CHANGE' && !isReturned
  const years = ordersOf(world).filter(granting)
  return coins.reduce((sum, { quantity }) => sum + quantity * 100, 0) + years.length * 500
}
