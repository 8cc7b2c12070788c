import type { Handle } from '../../base/db/handle'
import type { ProjectState } from '../../projects/project/state'
import { foldAsOf } from './fold'
import { readHistory, type TransactionRecord } from './history'
import {
  findByChain,
  findPurchaseById,
  listByIds,
  listBySubscriber,
  listBySubscribers,
  listLinesOf,
  listObservations,
  type PurchaseRow,
} from './queries'
import { productIdOf } from './store-product'

export type { PurchaseRow }

/** The purchases that a subscriber owns, for the slices that compute from them. */
export const listPurchases = listBySubscriber

/** As `listPurchases`, of many subscribers at once, by subscriber id; who owns none is not in it. */
export async function listPurchasesOfAll(
  handle: Handle,
  subscriberIds: readonly string[],
): Promise<Map<string, PurchaseRow[]>> {
  const rows = await listBySubscribers(handle, subscriberIds)
  return Map.groupBy(rows, ({ subscriberId }) => subscriberId)
}

export const findPurchases = listByIds

export const findPurchase = findPurchaseById

/** The purchase of a store's chain, or null. */
export const findPurchaseByChain = findByChain

/** Every money line of a subscriber in one environment. */
export const listMoneyLines = listLinesOf

/** The store transactions of a purchase, the current one last, each as all observations tell it. */
export const listStoreTransactions = async (handle: Handle, purchaseId: string): Promise<TransactionRecord[]> =>
  readHistory(await listObservations(handle, purchaseId)).transactions

/**
 * A purchase as of an instant: what the stores had said by then, as far as it is known now; null while it was not
 * bought. A purchase that no store tells of is as it is.
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
  return { ...row, fold, productId: productIdOf(project, row.store, fold, row) }
}
