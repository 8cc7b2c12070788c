import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { foldObservations } from '../../people/purchases/fold'
import { insertManyObservations } from '../../people/purchases/many-queries'
import { type PurchaseRow, updatePurchase } from '../../people/purchases/queries'
import { findStoreProduct, productIdOf } from '../../people/purchases/store-product'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation, Report } from '../../stores/observation'
import { catalogueEnds } from '../recording/catalogue-end'
import { heldReport } from '../recording/held'
import { soldType } from '../recording/model'
import { changedColumns, toObservationRow, toPurchaseRow } from '../recording/purchase-row'

/** A purchase with its product. */
export interface Linked {
  row: PurchaseRow
  /** The end that only the catalogue states, of a subscription that never renews. */
  ends: readonly Report[]
}

/**
 * A purchase with its product. The type of a product decides about grants and ends, so a purchase that was recorded as of
 * another type is computed again. Null when nothing is known of the purchase any more.
 */
export function linkedRow(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  held: PurchaseRow,
  reported: readonly Observation[],
): Linked | null {
  const { store, fold } = held
  const productId = held.accessIds === null ? productIdOf(project, store, fold, held) : held.productId
  const named = { ...held, productId, storeProductId: fold.storeProductId }
  const ends = catalogueEnds(project, store, reported)
  if (productId === held.productId && ends.length === 0) return { row: named, ends }
  const sold = findStoreProduct(project.catalog, fold.storeProductId, store)?.type
  const isNamed = held.productId === null && productId !== null && sold !== undefined
  const productType = isNamed ? soldType(neverRenews(reported), sold) : fold.productType
  if (productType === fold.productType && ends.length === 0)
    return { row: { ...named, updatedAt: tx.clock.now() }, ends }
  const folded = foldObservations([...reported, ...ends], productType)
  const report = { ...heldReport(held, reported), productType }
  return folded && { row: toPurchaseRow(tx, project, owner, report, held, folded, 'LINKS'), ends }
}

interface LinkedPurchase extends Linked {
  held: PurchaseRow
}

/** Writes the rows, and keeps the ends like what the store reports, so that they stay whatever becomes of the catalogue. */
export async function saveLinked(tx: Tx, linked: readonly LinkedPurchase[], { kind, ref }: EventCause): Promise<void> {
  for (const { held, row } of linked) {
    const columns = changedColumns(held, row)
    if (Object.keys(columns).length > 0) await updatePurchase(tx, held.id, columns)
  }
  await insertManyObservations(
    tx,
    linked.flatMap(({ held, ends }) => ends.map((one) => toObservationRow(tx, held.id, one, { kind, ref }))),
  )
}

const neverRenews = (reported: readonly Observation[]): boolean =>
  reported.some((one) => one.kind === 'REPORT' && one.transaction?.isNonRenewing === true)
