import type { Handle } from '../db/handle'
import type { ProjectState } from '../projects/state'
import { foldAsOf } from './fold'
import { findPurchaseById, listByIds, listBySubscriber, listObservations, type PurchaseRow } from './queries'
import { findStoreProduct } from './store-product'

export type { PurchaseRow }

/** The purchases that a subscriber owns, for the slices that compute from them. */
export const listPurchases = listBySubscriber

export const findPurchases = listByIds

export const findPurchase = findPurchaseById

/**
 * A purchase as of an instant: what the stores had said by then, as far as it is known now; null while it was not
 * bought. A purchase that no store tells of is as it is.
 */
export async function purchaseAsOf(
  handle: Handle,
  { catalog }: ProjectState,
  row: PurchaseRow,
  at: number,
): Promise<PurchaseRow | null> {
  const observations = await listObservations(handle, row.id)
  if (observations.length === 0) return row.fold.purchaseDate <= at ? row : null
  const fold = foldAsOf(observations, row.fold.productType, at)
  if (!fold) return null
  const product = findStoreProduct(catalog, fold.storeProductId, row.store)
  return { ...row, fold, productId: product?.id ?? row.productId }
}
