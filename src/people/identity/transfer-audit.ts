import type { Tx } from '../../base/context'
import { fromJsonInteger, type JsonInteger } from '../../base/lib/int64'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import type { SubscriberRow } from '../subscribers/service'

// Amounts are texts, because the numbers of an audit row are read without their 64 bits.

interface TransferResult {
  transferId: string
  purchaseIds: readonly string[]
  balances: Readonly<Record<string, JsonInteger>>
}

/** The audit row of a transfer that a person of the dashboard ordered; both rows as they are after it. */
export async function auditTransfer(
  tx: Tx,
  actor: Actor,
  { from, to }: { from: SubscriberRow; to: SubscriberRow },
  { transferId, purchaseIds, balances }: TransferResult,
): Promise<void> {
  const texts = Object.entries(balances).map(([code, amount]) => [code, String(fromJsonInteger(amount))])
  const entry = {
    action: 'subscriber.transfer',
    target: { type: 'subscriber', id: from.id },
    before: { mergedInto: null },
    after: {
      transferId,
      toSubscriberId: to.id,
      mergedInto: from.mergedInto,
      purchaseIds,
      balances: Object.fromEntries(texts),
    },
  }
  await recordAudit(tx, from.projectId, actor, [entry])
}

interface UndoResult {
  transferId: string
  restoredSubscriberId: string
  purchases: readonly { id: string }[]
  creditsReturned: JsonInteger
  creditsShortfall: JsonInteger
}

/** The audit row of an undo. */
export async function auditUndo(tx: Tx, projectId: string, actor: Actor, undone: UndoResult): Promise<void> {
  const { transferId, restoredSubscriberId, purchases, creditsReturned, creditsShortfall } = undone
  const entry = {
    action: 'transfer.undo',
    target: { type: 'transfer', id: transferId },
    before: { undone: false },
    after: {
      undone: true,
      restoredSubscriberId,
      purchaseIds: purchases.map(({ id }) => id),
      creditsReturned: String(fromJsonInteger(creditsReturned)),
      creditsShortfall: String(fromJsonInteger(creditsShortfall)),
    },
  }
  await recordAudit(tx, projectId, actor, [entry])
}
