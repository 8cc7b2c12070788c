import type { Tx } from '../../base/context'
import { listBySubscriber, moveOwner } from './queries'

/** Moves purchases (all, or the given ones) with their money lines to another subscriber; returns their ids. */
export async function givePurchases(
  tx: Tx,
  fromSubscriberId: string,
  toSubscriberId: string,
  only?: readonly string[],
): Promise<string[]> {
  const owned = (await listBySubscriber(tx, fromSubscriberId)).map(({ id }) => id)
  const ids = only ? owned.filter((id) => only.includes(id)) : owned
  if (ids.length > 0) await moveOwner(tx, ids, toSubscriberId, tx.clock.now())
  return ids
}
