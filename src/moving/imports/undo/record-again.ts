import type { Tx } from '../../../base/context'
import { canonicalJson } from '../../../base/lib/hash'
import { changedColumns, toPurchaseRow } from '../../../intake/recording/purchase-row'
import { type PlannedReport, recordWhatFollows } from '../../../intake/recording/record-many'
import { toAccess } from '../../../people/entitlements/service'
import { foldObservations } from '../../../people/purchases/fold'
import { listPurchasesOfAll } from '../../../people/purchases/holdings'
import { type ObservationRow, type PurchaseRow, updatePurchase } from '../../../people/purchases/queries'
import { type SubscriberRow, updateSubscriber } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'

/** A purchase with what goes and what stays. */
export interface Parted {
  purchase: PurchaseRow
  removed: ObservationRow[]
  kept: ObservationRow[]
}

/** The purchases as the observations that stay make them, with their money lines and figures. */
export async function recordAgain(
  tx: Tx,
  project: ProjectState,
  changed: readonly Parted[],
  owners: ReadonlyMap<string, SubscriberRow>,
): Promise<void> {
  const planned: (PlannedReport & { row: PurchaseRow })[] = []
  for (const { purchase: held, kept, removed } of changed) {
    const owner = owners.get(held.subscriberId)
    const known = kept.map(({ payload }) => payload)
    const fold = foldObservations(known, held.fold.productType)
    if (!owner || !fold) continue
    const { store, environment, chainKey, originalTransactionId, accessIds } = held
    const about = { store, environment, chainKey, originalTransactionId, accessIds, productType: fold.productType }
    const report = { ...about, accountToken: null, presentedContext: null, observations: [] }
    const row = toPurchaseRow(tx, project, owner, report, held, fold)
    await updatePurchase(tx, held.id, changedColumns(held, row))
    const fresh = removed.map(({ payload }) => payload)
    planned.push({ owner, held, report, row, known, fresh, isChanged: true })
  }
  await recordWhatFollows(tx, project, planned, 'removed')
}

/** As at the import, it has no event. */
export async function publishAccess(tx: Tx, project: ProjectState, owners: readonly SubscriberRow[]): Promise<void> {
  const purchases = await listPurchasesOfAll(
    tx,
    owners.map(({ id }) => id),
  )
  for (const owner of owners) {
    const toldAccess = toAccess(project, owner, purchases.get(owner.id) ?? [], tx.clock.now())
    if (canonicalJson(toldAccess) !== canonicalJson(owner.toldAccess))
      await updateSubscriber(tx, owner.id, { toldAccess })
    tx.afterCommit(() => tx.state.changeSignal.notify(owner.id))
  }
}
