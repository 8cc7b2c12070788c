import type { Tx } from '../../base/context'
import { recordHeldObservations } from '../../intake/recording/held'
import type { EventCause } from '../../people/events/model'
import { listPurchasesOfChain, type PurchaseRow } from '../../people/purchases/holdings'
import { statusAt } from '../../people/purchases/status'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import type { ActionRow } from './queries'

/** The lines of a purchase that a cancellation ends: a store cancels a subscription with all of its products. */
export async function cancelledLines(tx: Tx, held: PurchaseRow): Promise<PurchaseRow[]> {
  const lines = await listPurchasesOfChain(tx, held.projectId, held.store, held.chainKey)
  const hasEnded = ({ fold }: PurchaseRow) => ENDED.includes(statusAt(fold, tx.clock.now()).status)
  return [held, ...lines.filter((line) => line.id !== held.id && !hasEnded(line))]
}

const ENDED: readonly string[] = ['EXPIRED', 'REFUNDED', 'REVOKED']

/** Records a cancellation for each line. False when the owner was erased. The caller holds the locks of `lockHeld`. */
export async function recordCancellation(
  tx: Tx,
  project: ProjectState,
  lines: readonly PurchaseRow[],
  action: ActionRow,
  cause: EventCause,
): Promise<boolean> {
  let isRecorded = false
  for (const line of lines) {
    const reports = cancelReports(line, action, tx.clock.now())
    if (await recordHeldObservations(tx, project, line, reports, cause)) isRecorded = true
  }
  return isRecorded
}

/** What a cancellation means for a line. The ids contain the action's id, so that a repetition adds nothing. */
function cancelReports({ fold }: PurchaseRow, { id, revokeImmediately }: ActionRow, eventAt: number): Observation[] {
  const report = { kind: 'REPORT', id: `cancel:${id}`, eventAt } as const
  if (!revokeImmediately) return [{ ...report, renewal: { autoRenews: false } }]
  const { storeTransactionId: transactionId } = fold
  return [
    { ...report, ended: { at: eventAt, reason: 'DEVELOPER' } },
    { kind: 'REVOCATION', id: `revocation:${id}`, eventAt, transactionId, amount: null },
  ]
}
