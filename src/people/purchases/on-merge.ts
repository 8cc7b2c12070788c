import type { SliceHooks } from '../../base/state'
import { resolvePurchaseIds } from './joined'
import { givePurchases } from './move'

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
