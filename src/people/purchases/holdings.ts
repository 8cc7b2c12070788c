import type { Handle } from '../../base/db/handle'
import type { ProjectState } from '../../projects/project/state'
import { findByNames } from './alias-queries'
import { foldAsOf } from './fold'
import { readHistory, type TransactionRecord } from './history'
import { resolvePurchaseIds } from './joined'
import {
  findPurchaseById,
  type HeldPurchase,
  listByChain,
  listByIds,
  listBySubscriber,
  listBySubscribers,
  listHeld,
  listHeldWith,
  listLinesOf,
  listObservations,
  listTransactions,
  type PurchaseRow,
  type TransactionRow,
} from './queries'
import { productIdOf } from './store-product'

export type { HeldPurchase, PurchaseRow, TransactionRow }

/** The purchases of a subscriber, for slices that compute from them. */
export const listPurchases = listBySubscriber

/** What their access follows from. */
export { listHeld as listHeldPurchases, listHeldWith as listHeldPurchasesWith }

/** Like `listPurchases`, for many subscribers, by subscriber id. A subscriber without purchases is not in the map. */
export async function listPurchasesOfAll(
  handle: Handle,
  subscriberIds: readonly string[],
): Promise<Map<string, PurchaseRow[]>> {
  const rows = await listBySubscribers(handle, subscriberIds)
  return Map.groupBy(rows, ({ subscriberId }) => subscriberId)
}

/** Purchases by their saved status, newest first; what each subscriber spent. For lists of people. */
export { listBuyingEnvironments, listHeads as listPurchaseHeads, sumSpent as spentBySubscribers } from './list-queries'

/** The purchases with these ids, or those that their rows were joined with. */
export const findPurchases = async (
  handle: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<PurchaseRow[]> => listByIds(handle, projectId, await resolvePurchaseIds(handle, projectId, ids))

export { resolvePurchaseIds }

export const findPurchase = findPurchaseById

/** The purchase with one of these names at the store. */
export const findPurchaseByNames = findByNames
export const listPurchasesOfChain = listByChain

/** All money lines of a subscriber in one environment. */
export const listMoneyLines = listLinesOf

/** All money lines of a purchase. */
export const listLinesOfPurchase = listTransactions

/** The store transactions of a purchase, the current one last, each computed from all its observations. */
export const listStoreTransactions = async (handle: Handle, purchaseId: string): Promise<TransactionRecord[]> =>
  readHistory(await listObservations(handle, purchaseId)).transactions

/**
 * A purchase at an earlier instant, from the observations that are dated up to then, of those that are known now; null
 * before the purchase. A purchase without observations is returned in its stored state.
 */
export async function purchaseAsOf(
  handle: Handle,
  project: ProjectState,
  row: PurchaseRow,
  at: number,
): Promise<PurchaseRow | null> {
  const observations = await listObservations(handle, row.id)
  if (observations.length === 0) return row.fold.purchaseDate <= at ? row : null
  const fold = foldAsOf(observations, row.fold.productType, at)
  if (!fold) return null
  // One that waits for its product gives nothing until it is linked, whatever the catalogue states by now.
  const isSame = fold.storeProductId === row.fold.storeProductId
  return { ...row, fold, productId: isSame ? row.productId : productIdOf(project, row.store, fold, row) }
}
