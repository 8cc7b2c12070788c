import type { Tx } from '../../base/context'
import { foldObservations } from '../../people/purchases/fold'
import type { PurchaseRow } from '../../people/purchases/queries'
import { findStoreProduct, productIdOf } from '../../people/purchases/store-product'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import { heldReport } from '../recording/held'
import { toPurchaseRow } from '../recording/purchase-row'

/**
 * The row with its product. The type of a product decides about grants and ends, so a purchase that was recorded as of
 * another type is computed again. Null when nothing is known of the purchase any more.
 */
export function linkedRow(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  held: PurchaseRow,
  observations: readonly Observation[],
): PurchaseRow | null {
  const { store, fold } = held
  const productId = held.accessIds === null ? productIdOf(project, store, fold, held) : held.productId
  const named = { ...held, productId, storeProductId: fold.storeProductId }
  const type =
    held.productId === null && productId !== null
      ? findStoreProduct(project.catalog, fold.storeProductId, store)?.type
      : undefined
  if (productId === held.productId) return named
  if (type === undefined || type === fold.productType) return { ...named, updatedAt: tx.clock.now() }
  const folded = foldObservations(observations, type)
  const report = { ...heldReport(held, observations), productType: type }
  return folded && toPurchaseRow(tx, project, owner, report, held, folded, 'LINKS')
}
