import type { Tx } from '../../base/context'
import { insertAliases } from '../../people/purchases/alias-queries'
import { foldObservations } from '../../people/purchases/fold'
import { giveObservations, giveRows, rewriteObservation } from '../../people/purchases/join-queries'
import { type ObservationRow, type PurchaseRow, updatePurchase } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { heldReport } from '../recording/held'
import { runOnJoined, runOnUnrecorded } from '../recording/on-recorded'
import { changedColumns, toPurchaseRow } from '../recording/purchase-row'
import { recordChange } from '../recording/record-change'
import type { JoinPlan } from './plan'
import { partOf } from './sale-rows'

/** Joins the stored rows, and computes the purchase again. Returns its row. */
export async function moveRows(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  { survivorId, mergedIds, chainKey }: JoinPlan,
  sale: Sale,
): Promise<PurchaseRow> {
  const held = rowOf(sale, survivorId)
  const merged = mergedIds.map((id) => rowOf(sale, id))
  const known = observationsOf(sale, survivorId).map(({ payload }) => payload)
  const all = await moveObservations(tx, held, mergedIds, sale)
  if (mergedIds.length > 0) {
    await runOnUnrecorded(tx, mergedIds)
    await runOnJoined(tx, {
      projectId: project.id,
      survivorId,
      mergedIds,
      transactionIds: transactionsOf(sale, mergedIds),
    })
    await giveRows(tx, mergedIds, held)
  }
  const observations = all.map(({ payload }) => payload)
  const fold = foldObservations(observations, held.fold.productType)
  if (!fold) throw new Error(`purchase ${survivorId} has no report`)
  const report = { ...heldReport(held, []), chainKey, ...firstKnown([held, ...merged]) }
  const row = toPurchaseRow(tx, project, owner, report, held, fold)
  await updatePurchase(tx, held.id, changedColumns(held, row))
  await insertNames(tx, row, [held, ...merged])
  const nothing = { isNew: false, fresh: [], linking: 'KEEPS' } as const
  await recordChange(tx, { project, owner, purchase: row, observations, known, ...nothing })
  return row
}

/** What only one of the rows may know. */
const firstKnown = (rows: readonly PurchaseRow[]): Pick<PurchaseRow, 'accountToken' | 'presentedContext'> => ({
  accountToken: rows.find((row) => row.accountToken !== null)?.accountToken ?? null,
  presentedContext: rows.find((row) => row.presentedContext !== null)?.presentedContext ?? null,
})

/** The names by which the rows were found: a share must not be found by an id of the buyer. */
async function insertNames(tx: Tx, row: PurchaseRow, former: readonly PurchaseRow[]): Promise<void> {
  const isShared = row.fold.ownershipType === 'FAMILY_SHARED'
  const keys = isShared ? [] : former.map(({ chainKey }) => chainKey).filter((key) => key !== row.chainKey)
  const ids = former.map(({ id }) => id).filter((id) => id !== row.id)
  if (keys.length + ids.length > 0) await insertAliases(tx, row, [...keys, ...ids])
}

const transactionsOf = (sale: Sale, ids: readonly string[]): string[] => [
  ...new Set(
    ids
      .flatMap((id) => observationsOf(sale, id))
      .flatMap(partOf)
      .map(({ transactionId }) => transactionId),
  ),
]

/** All observations as those of one purchase, each naming its sale, so that copies count as one charge. */
async function moveObservations(
  tx: Tx,
  { id, originalTransactionId }: PurchaseRow,
  mergedIds: readonly string[],
  sale: Sale,
): Promise<ObservationRow[]> {
  const own = observationsOf(sale, id)
  const named = own.map((row) => withSale(row, originalTransactionId))
  for (const [index, row] of named.entries()) if (row !== own[index]) await rewriteObservation(tx, row, row.payload)
  const moved = mergedIds
    .flatMap((from) => observationsOf(sale, from))
    .map((row) => withSale(row, originalTransactionId))
  await giveObservations(tx, moved, id)
  const all = new Map([...moved, ...named].map((row) => [`${row.kind}:${row.id}`, row]))
  return [...all.values()].toSorted((a, b) => a.recordedAt - b.recordedAt)
}

/** Records from before copies were known do not name their sale. */
function withSale(row: ObservationRow, sale: string): ObservationRow {
  const { payload } = row
  if (payload.kind !== 'REPORT' || !payload.transaction || payload.transaction.sale !== undefined) return row
  return { ...row, payload: { ...payload, transaction: { ...payload.transaction, sale } } }
}

/** The rows of one sale, with the record of each. */
export interface Sale {
  rows: ReadonlyMap<string, PurchaseRow>
  observations: ReadonlyMap<string, readonly ObservationRow[]>
}

export function rowOf({ rows }: Sale, id: string): PurchaseRow {
  const row = rows.get(id)
  if (!row) throw new Error(`purchase ${id} vanished under its lock`)
  return row
}

const observationsOf = ({ observations }: Sale, id: string): readonly ObservationRow[] => observations.get(id) ?? []
