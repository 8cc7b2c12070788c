import type { Tx } from '../../base/context'
import { listBySubscriber, moveOwner, type PurchaseRow } from './queries'

/**
 * Moves purchases (all, or the given ones) with their money lines to another subscriber; returns their ids. The lines of a
 * chain have one owner, so naming one of them moves all.
 */
export async function givePurchases(
  tx: Tx,
  fromSubscriberId: string,
  toSubscriberId: string,
  only?: readonly string[],
): Promise<string[]> {
  const owned = await listBySubscriber(tx, fromSubscriberId)
  const named = new Set(owned.filter(({ id }) => !only || only.includes(id)).map(chainOf))
  const ids = owned.filter((one) => named.has(chainOf(one))).map(({ id }) => id)
  if (ids.length > 0) await moveOwner(tx, ids, toSubscriberId, tx.clock.now())
  return ids
}

/** Names the chain of a purchase within its project. */
export const chainOf = ({ store, chainKey }: Pick<PurchaseRow, 'store' | 'chainKey'>): string => `${store} ${chainKey}`
