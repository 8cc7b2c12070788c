import type { Tx } from '../../base/context'
import { foldObservations } from '../../people/purchases/fold'
import type { PurchaseRow } from '../../people/purchases/queries'
import { findStoreProduct, productIdOf } from '../../people/purchases/store-product'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation, ProductType } from '../../stores/observation'
import { heldReport } from '../recording/held'
import { toPurchaseRow } from '../recording/purchase-row'

/** What is known of a purchase; `isMore`: also something that only the catalogue tells, such as an end. */
interface Known {
  observations: readonly Observation[]
  isMore: boolean
}

/**
 * The row with its product. The type of a product decides about grants and ends, so a purchase that was recorded as of
 * another type is computed again. Null when nothing is known of the purchase any more.
 */
export function linkedRow(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  held: PurchaseRow,
  { observations, isMore }: Known,
): PurchaseRow | null {
  const { store, fold } = held
  const productId = held.accessIds === null ? productIdOf(project, store, fold, held) : held.productId
  const named = { ...held, productId, storeProductId: fold.storeProductId }
  const type =
    held.productId === null && productId !== null
      ? soldType(observations, findStoreProduct(project.catalog, fold.storeProductId, store)?.type)
      : undefined
  if (productId === held.productId && !isMore) return named
  if (!isMore && (type === undefined || type === fold.productType)) return { ...named, updatedAt: tx.clock.now() }
  const productType = type ?? fold.productType
  const folded = foldObservations(observations, productType)
  const report = { ...heldReport(held, observations), productType }
  return folded && toPurchaseRow(tx, project, owner, report, held, folded, 'LINKS')
}

/** A subscription that never renews counts as a one-time purchase, whatever the catalogue calls its product. */
function soldType(observations: readonly Observation[], type: ProductType | undefined): ProductType | undefined {
  const isNonRenewing = observations.some((one) => one.kind === 'REPORT' && one.transaction?.isNonRenewing)
  return isNonRenewing && type === 'SUBSCRIPTION' ? 'NON_CONSUMABLE' : type
}
