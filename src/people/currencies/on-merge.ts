import type { SliceHooks } from '../../base/state'
import { transferBalances } from './service'

/** A merge moves the balances to the survivor. An undo returns them, but no more than the present balance holds. */
export const balancesMerge: SliceHooks['onMerge'] = {
  async merge(tx, { project, transferId, from, to }) {
    const { credits, drafts } = await transferBalances(tx, project, from, to, { transferId })
    return { moved: { credits }, drafts }
  },
  async undo(tx, { project, transferId, from, to }, { moved }) {
    const { credits, drafts } = await transferBalances(tx, project, to, from, { transferId, amounts: moved.credits })
    return { moved: { credits }, drafts: { from: drafts.to, to: drafts.from } }
  },
}
