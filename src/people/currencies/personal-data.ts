import { and, inArray, isNotNull } from 'drizzle-orm'
import type { SliceHooks } from '../../base/state'
import type { OnErase } from '../subscribers/hooks'
import { transferBalances } from './service'

const NO_TEXTS = { idempotencyKey: null, description: null, referenceType: null, referenceId: null }

/**
 * At an erasure: amounts and balances stay, without the texts that the customer's server or members of staff gave with
 * them. A booking without a key is one of our own and names a purchase. The ledger's triggers allow this change only.
 */
export const eraseLedgerTexts: OnErase = async (tx, _project, _subscriber, { ids }) => {
  const { ledger: l } = tx.tables
  const isOwn = inArray(l.subscriberId, [...ids])
  const given = and(isOwn, isNotNull(l.idempotencyKey))
  const named = await tx.db.update(l).set(NO_TEXTS).where(given).returning({ id: l.id })
  const described = and(isOwn, isNotNull(l.description))
  const others = await tx.db.update(l).set({ description: null }).where(described).returning({ id: l.id })
  return { ledger: { reduced: named.length + others.length } }
}

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
