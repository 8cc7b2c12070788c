import type { Tx } from '../../base/context'
import type { RecordedPurchase } from '../../intake/recording/on-recorded'
import { replacedPeriod } from '../../intake/recording/record-observations'
import type { SavedLine } from '../../people/purchases/line-rows'
import { transactionLines } from '../../people/purchases/lines'
import {
  findPurchaseById,
  listRecorded,
  listTransactions,
  type PurchaseRow,
  type TransactionRow,
} from '../../people/purchases/queries'
import { findSubscriber } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import { listEntries } from './queries'
import { recordAt } from './record'

/** Makes the entries of a purchase right after its amounts in dollars have changed. The caller holds its lock. */
export async function rebuildAfterConversion(tx: Tx, projectId: string, purchaseId: string): Promise<void> {
  const project = await tx.state.projects.find(projectId)
  const purchase = project && (await findPurchaseById(tx, projectId, purchaseId))
  if (purchase) await rebuildEntries(tx, project, purchase)
}

/**
 * Computes the entries of a purchase from everything that is known of it, and adds what is missing or different. A
 * purchase without entries gets them with the times at which its observations were recorded, as if figures had been kept
 * since then. The caller holds the purchase's lock.
 */
export async function rebuildEntries(tx: Tx, project: ProjectState, purchase: PurchaseRow): Promise<void> {
  const held = await listEntries(tx, purchase.id)
  const recorded = await listRecorded(tx, purchase.id)
  const rows = await listTransactions(tx, purchase.id)
  const owner = await findSubscriber(tx, project.id, purchase.subscriberId)
  if (!owner) return
  const about = { project, purchase, owner, isNew: false, fresh: [] }
  const times = held.length > 0 ? [tx.clock.now()] : [...new Set(recorded.map(({ recordedAt }) => recordedAt))]
  for (const knownAt of times) {
    const observations = recorded.filter((one) => one.recordedAt <= knownAt).map(({ payload }) => payload)
    const known: RecordedPurchase = { ...about, observations, saved: savedLines(purchase, observations, rows) }
    await recordAt(tx, known, await listEntries(tx, purchase.id), knownAt)
  }
}

/** The money lines of these observations that are saved. */
function savedLines(
  { store, fold }: PurchaseRow,
  observations: readonly Observation[],
  rows: readonly TransactionRow[],
): SavedLine[] {
  const byKey = new Map(rows.map((row) => [row.revenueKey, row]))
  return transactionLines(observations, fold.productType, replacedPeriod(observations)).flatMap((line) => {
    const row = byKey.get(`${store}:${line.key}`)
    return row ? [{ line, row }] : []
  })
}
