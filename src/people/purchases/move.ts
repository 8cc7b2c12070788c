import type { Tx } from '../../base/context'
import type { SliceHooks } from '../../base/state'
import { resolvePurchaseIds } from './joined'
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

/** At a merge, purchases and their money lines move to the remaining subscriber. */
export const purchasesMerge: SliceHooks['onMerge'] = {
  merge: async (tx, { from, to }) => ({ moved: { purchaseIds: await givePurchases(tx, from.id, to.id) } }),
  undo: async (tx, { from, to }, { moved }) => ({
    moved: {
      purchaseIds: await givePurchases(
        tx,
        to.id,
        from.id,
        await resolvePurchaseIds(tx, to.projectId, moved.purchaseIds),
      ),
    },
  }),
}
