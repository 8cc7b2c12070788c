import { DAY } from '../../../base/lib/clock'
import type { PurchaseStatus } from '../../../core/purchase/status'
import type { Item } from '../../../test-store/stores/android'
import {
  type Charged,
  endOfItem,
  type ItemsChain,
  microsOf,
  ownedItems,
  type PlayItemsWorld,
  stateOf,
} from './play-items-world.fixtures'

// The expected result of a life, computed only from what the stand-in has at its end.

/** The status of an item by wire 4.2 when the store reports nothing more. */
export function expectedStatus(world: PlayItemsWorld, chain: ItemsChain, item: Item, now: number): PurchaseStatus {
  const { paidUntil } = world.subscription(chain.token)
  const end = endOfItem(item)
  const retry = now >= paidUntil + 60 * DAY ? 'EXPIRED' : 'BILLING_RETRY'
  if (chain.voidedOrderIds.includes(item.latestSuccessfulOrderId ?? '')) return 'REFUNDED'
  if (chain.isRevoked) return 'REVOKED'
  if (chain.replacedBy !== null) return 'EXPIRED'
  switch (stateOf(world, chain)) {
    case 'IN_GRACE_PERIOD':
      return now < end ? 'GRACE_PERIOD' : retry
    case 'ON_HOLD':
      return retry
    case 'PAUSED':
      return 'PAUSED'
    case 'EXPIRED':
      return 'EXPIRED'
    default:
      return now >= end ? 'EXPIRED' : item.offerPhase?.freeTrial ? 'TRIAL' : 'ACTIVE'
  }
}

const ACCESS: Record<string, string[]> = { pro: ['pro'], coach: ['coach', 'pro'], 'lifetime.one': ['pro'] }

/** The items that are in one of these statuses. */
const itemsIn = (world: PlayItemsWorld, now: number, statuses: readonly PurchaseStatus[]): Item[] =>
  world.chains.flatMap((chain) =>
    ownedItems(world, chain).filter((item) => statuses.includes(expectedStatus(world, chain, item, now))),
  )

export function expectedAccess(world: PlayItemsWorld, now: number): string[] {
  const running = itemsIn(world, now, ['TRIAL', 'ACTIVE', 'GRACE_PERIOD']).flatMap(({ productId }) => productId ?? [])
  const bought = kept(world).flatMap(({ productId, units, returned }) => (returned < units ? [productId] : []))
  return [...new Set([...running, ...bought].flatMap((productId) => ACCESS[productId] ?? []))].sort()
}

/** What one-time orders charged that were not refunded as a whole. */
const kept = (world: PlayItemsWorld): Charged[] =>
  world.orders
    .filter(({ token, isReturned }) => world.carts.includes(token) && !isReturned)
    .flatMap(({ charged }) => charged)

/**
 * Micros for each month: the prices of the items in a period. A trial counts nothing until it is converted, and what no
 * catalogue has is left out, for Google does not tell the length of its period.
 */
export const expectedMrr = (world: PlayItemsWorld, now: number): number =>
  itemsIn(world, now, ['ACTIVE', 'GRACE_PERIOD'])
    .filter(({ offerPhase, productId }) => !offerPhase?.freeTrial && productId !== 'unsold')
    .reduce((sum, item) => sum + microsOf(item), 0)

/** Micros that were charged and not returned; units of a product return their part of its price. */
export const expectedMoney = ({ orders }: PlayItemsWorld): number =>
  orders
    .flatMap(({ charged, isReturned }) => (isReturned ? [] : charged))
    .reduce((sum, { micros, units, returned }) => sum + micros - Math.floor((micros * returned) / units), 0)

/** The coins of what is sold once: 100 for each unit that was not returned. */
export const expectedItemCoins = (world: PlayItemsWorld): number =>
  kept(world)
    .filter(({ productId }) => productId === 'coins.100')
    .reduce((sum, { units, returned }) => sum + 100 * (units - returned), 0)

/** The orders that charged a full period of a plan. */
export const periodOrders = ({ orders, carts }: PlayItemsWorld): Set<string> =>
  new Set(orders.flatMap(({ orderId, token, charged }) => (carts.includes(token) || isFree(charged) ? [] : [orderId])))

const isFree = (charged: readonly Charged[]): boolean => charged.every(({ micros }) => micros === 0)
