import type { Tx } from '../../base/context'
import { findRecords, findSaleRecords, type PurchaseRecords } from '../../people/purchases/records'
import { countsUnlisted } from '../../people/purchases/unlisted-sales'
import { findSubscriber, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { listEntries } from './queries'
import { recordAt, takeBackEntries } from './record'

/** Makes the entries of a purchase right after its amounts in dollars have changed. The caller holds its lock. */
export async function rebuildAfterConversion(tx: Tx, projectId: string, purchaseId: string): Promise<void> {
  const project = await tx.state.projects.find(projectId)
  if (project) await rebuildEntries(tx, project, purchaseId)
}

/**
 * Computes the entries of a purchase, or of an unlisted sale, from everything that is known of it, and adds what is missing or different. A
 * purchase without entries gets them with the times at which its observations were recorded, as if figures had been kept
 * since then. The caller holds the purchase's lock.
 */
export async function rebuildEntries(tx: Tx, project: ProjectState, purchaseId: string): Promise<void> {
  const records = await findRecords(tx, project, purchaseId)
  if (!records) return rebuildSale(tx, project, purchaseId)
  const owner = await findSubscriber(tx, project.id, records.purchase.subscriberId)
  if (owner) await rebuildFrom(tx, project, records, owner)
}

/** An unlisted sale has entries only where the project counts it. */
async function rebuildSale(tx: Tx, project: ProjectState, saleId: string): Promise<void> {
  if (!countsUnlisted(project)) return takeBackEntries(tx, [saleId])
  const records = await findSaleRecords(tx, project, saleId)
  if (records) await rebuildFrom(tx, project, records, null)
}

async function rebuildFrom(
  tx: Tx,
  project: ProjectState,
  records: PurchaseRecords,
  owner: SubscriberRow | null,
): Promise<void> {
  // Another row than the one that was asked for, when a repair has joined that one since it was found.
  const { purchase, observations: recorded } = records
  const held = await listEntries(tx, purchase.id)
  const times = held.length > 0 ? [tx.clock.now()] : [...new Set(recorded.map(({ recordedAt }) => recordedAt))]
  for (const [turn, knownAt] of times.entries()) {
    const observations = recorded.filter((one) => one.recordedAt <= knownAt).map(({ payload }) => payload)
    const known = { project, purchase, owner, isNew: false, fresh: [], observations }
    const saved = records.linesOf(observations)
    await recordAt(tx, { ...known, saved }, turn === 0 ? held : await listEntries(tx, purchase.id), knownAt)
  }
}
