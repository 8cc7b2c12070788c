import type { Tx } from '../../../base/context'
import { canonicalJson } from '../../../base/lib/hash'
import { runOnUnrecorded } from '../../../intake/recording/on-recorded'
import { changedColumns, toPurchaseRow } from '../../../intake/recording/purchase-row'
import { type PlannedReport, recordWhatFollows } from '../../../intake/recording/record-many'
import { toAccess } from '../../../people/entitlements/service'
import { foldObservations } from '../../../people/purchases/fold'
import { listPurchasesOfAll } from '../../../people/purchases/holdings'
import { listObservationsOf } from '../../../people/purchases/many-queries'
import { type ObservationRow, type PurchaseRow, updatePurchase } from '../../../people/purchases/queries'
import { listByManyIds } from '../../../people/subscribers/many-queries'
import { type SubscriberRow, updateSubscriber } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'
import type { ImportJobRow } from '../commit/commit-batch'
import type { PurchaseMark } from '../commit/marks'
import {
  deleteObservations,
  deletePurchaseMarks,
  deletePurchases,
  handOver,
  listOtherMarks,
  listPurchasesById,
} from './queries'

/** A purchase with what goes and what stays. */
interface Parted {
  purchase: PurchaseRow
  removed: ObservationRow[]
  kept: ObservationRow[]
}

/** Takes back what a job has said about some purchases. One of which nothing else is known goes. */
export async function undoPurchases(
  tx: Tx,
  project: ProjectState,
  job: ImportJobRow,
  marks: readonly PurchaseMark[],
): Promise<{ removed: number; changed: number }> {
  const ids = marks.map(({ purchaseId }) => purchaseId)
  if (ids.length === 0) return { removed: 0, changed: 0 }
  const purchases = await lockPurchases(tx, ids)
  const parted = await partAll(tx, job, purchases)
  const fold = ({ purchase, kept }: Parted) =>
    foldObservations(
      kept.map(({ payload }) => payload),
      purchase.fold.productType,
    )
  const gone = parted.filter((one) => fold(one) === null)
  const changed = parted.filter((one) => !gone.includes(one) && one.removed.length > 0)
  const goneIds = gone.map(({ purchase }) => purchase.id)
  await runOnUnrecorded(tx, goneIds)
  await deletePurchases(tx, goneIds)
  await deleteObservations(
    tx,
    changed.flatMap(({ removed }) => removed),
  )
  const owners = await ownersOf(tx, purchases)
  await recordAgain(tx, project, changed, owners)
  await publishAccess(tx, project, [...owners.values()])
  await deletePurchaseMarks(tx, job.id, ids)
  return { removed: gone.length, changed: changed.length }
}

async function lockPurchases(tx: Tx, ids: readonly string[]): Promise<PurchaseRow[]> {
  const first = await listPurchasesById(tx, ids)
  if (!tx.needsLocks) return first
  const lock = (names: string[]) => Promise.all([...new Set(names)].sort().map((name) => tx.lock(name)))
  await lock(first.map(({ projectId, store, chainKey }) => `purchase:${projectId}:${store}:${chainKey}`))
  await lock(first.map(({ subscriberId }) => `subscriber:${subscriberId}`))
  return listPurchasesById(tx, ids)
}

async function ownersOf(tx: Tx, purchases: readonly PurchaseRow[]): Promise<Map<string, SubscriberRow>> {
  const rows = await listByManyIds(tx, [...new Set(purchases.map(({ subscriberId }) => subscriberId))])
  return new Map(rows.map((row) => [row.id, row]))
}

/** A row that another import has read too stays, as a row of that import. */
async function partAll(tx: Tx, job: ImportJobRow, purchases: readonly PurchaseRow[]): Promise<Parted[]> {
  const ids = purchases.map(({ id }) => id)
  const observations = await listObservationsOf(tx, ids)
  const others = await listOtherMarks(tx, job.id, ids)
  const parted: Parted[] = []
  for (const purchase of purchases) {
    const one: Parted = { purchase, removed: [], kept: [] }
    for (const observation of observations.get(purchase.id) ?? []) {
      const isOwn = observation.cause.kind === 'IMPORT' && observation.cause.ref === job.id
      const other = others.get(purchase.id)?.find(({ repeats }) => repeats.includes(observation.id))
      if (isOwn && other) await handOver(tx, observation, other.jobId)
      if (isOwn && !other) one.removed.push(observation)
      else one.kept.push(observation)
    }
    parted.push(one)
  }
  return parted
}

/** The purchases as the observations that stay make them, with their money lines and figures. */
async function recordAgain(
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

/** As at the import, no event tells it. */
async function publishAccess(tx: Tx, project: ProjectState, owners: readonly SubscriberRow[]): Promise<void> {
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
