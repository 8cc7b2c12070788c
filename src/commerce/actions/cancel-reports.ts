import type { PurchaseRow } from '../../people/purchases/holdings'
import type { Observation } from '../../stores/observation'
import type { ActionRow } from './queries'

/** What a cancellation means for the purchase. The ids contain the action's id, so that a repetition adds nothing. */
export function cancelReports(
  { fold }: PurchaseRow,
  { id, revokeImmediately }: ActionRow,
  eventAt: number,
): Observation[] {
  const report = { kind: 'REPORT', id: `cancel:${id}`, eventAt } as const
  if (!revokeImmediately) return [{ ...report, renewal: { autoRenews: false } }]
  const { storeTransactionId: transactionId } = fold
  return [
    { ...report, ended: { at: eventAt, reason: 'DEVELOPER' } },
    { kind: 'REVOCATION', id: `revocation:${id}`, eventAt, transactionId, amount: null },
  ]
}
