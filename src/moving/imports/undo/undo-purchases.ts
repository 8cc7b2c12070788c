import type { Tx } from '../../../base/context'
import { runOnUnrecorded } from '../../../intake/recording/on-recorded'
import { foldObservations } from '../../../people/purchases/fold'
import { purchaseLockName } from '../../../people/purchases/lock'
import { listObservationsOf } from '../../../people/purchases/many-queries'
import type { PurchaseRow } from '../../../people/purchases/queries'
import { listByManyIds } from '../../../people/subscribers/many-queries'
import type { SubscriberRow } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'
import type { PurchaseMark } from '../commit/marks'
import type { ImportJobRow } from '../queries'
import {
  deleteObservations,
  deletePurchaseMarks,
  deletePurchases,
  handOver,
  listOtherMarks,
  listPurchasesById,
} from './queries'
import { type Parted, publishAccess, recordAgain } from './record-again'

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
  await lock(first.map(purchaseLockName))
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
