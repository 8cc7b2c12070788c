import type { SliceHooks } from '../../base/state'
import { transferBalances } from './service'

/** At a merge, balances go to the survivor; an undo returns them as far as the present balance holds them. */
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
