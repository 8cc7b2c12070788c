import type { Tx } from '../../base/context'
import { foldObservations } from '../../people/purchases/fold'
import { rewriteObservation } from '../../people/purchases/join-queries'
import { listTransactions, type ObservationRow, type PurchaseRow, updatePurchase } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { heldReport } from '../recording/held'
import { changedColumns, toPurchaseRow } from '../recording/purchase-row'
import { recordChange } from '../recording/record-change'

/**
 * Saves which charges of a purchase are copies (`copies` are some of `own`), and computes the purchase again. Returns its
 * row, and the ids of the money lines that went.
 */
export async function writeCopies(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  held: PurchaseRow,
  { own, copies }: { own: readonly ObservationRow[]; copies: readonly ObservationRow[] },
): Promise<{ row: PurchaseRow; linesRemoved: string[] }> {
  for (const copy of copies) await rewriteObservation(tx, copy, copy.payload)
  const named = new Map(copies.map((copy) => [nameOf(copy), copy]))
  const known = own.map(({ payload }) => payload)
  const observations = own.map((one) => (named.get(nameOf(one)) ?? one).payload)
  const fold = foldObservations(observations, held.fold.productType)
  if (!fold) throw new Error(`purchase ${held.id} has no report`)
  const before = await listTransactions(tx, held.id)
  const row = toPurchaseRow(tx, project, owner, heldReport(held, []), held, fold, 'KEEPS')
  await updatePurchase(tx, held.id, changedColumns(held, row))
  const nothing = { isNew: false, fresh: [], linking: 'KEEPS' } as const
  await recordChange(tx, { project, owner, purchase: row, observations, known, ...nothing })
  const after = new Set((await listTransactions(tx, held.id)).map(({ id }) => id))
  return { row, linesRemoved: before.flatMap(({ id }) => (after.has(id) ? [] : [id])).sort() }
}

const nameOf = ({ kind, id }: Pick<ObservationRow, 'kind' | 'id'>): string => `${kind}:${id}`
