import type { Tx } from '../../../base/context'
import { insertAliases } from '../../../people/purchases/alias-queries'
import {
  findByChain,
  findPurchaseById,
  listSources,
  type PurchaseRow,
  updatePurchase,
} from '../../../people/purchases/queries'
import type { PurchaseEnvironment } from '../../../stores/observation'
import type { AnchorRow, Run } from './model'

/** What identifies a purchase at its store. */
export type StoreKeys = Pick<PurchaseRow, 'chainKey' | 'originalTransactionId'>

/**
 * Gives the imported purchase of an anchor the key under which the store keeps it, so that news of the store meets it.
 * A file may name a purchase by less than the store does. Nothing changes when the store's key is taken, or when
 * another source than an import has reported the purchase. The caller holds the lock of `chainKey`.
 */
export async function adoptChain(
  tx: Tx,
  projectId: string,
  { purchaseId, store }: Pick<AnchorRow, 'purchaseId' | 'store'>,
  { chainKey, originalTransactionId }: StoreKeys,
): Promise<void> {
  const held = purchaseId === null ? null : await findPurchaseById(tx, projectId, purchaseId)
  if (!held || held.chainKey === chainKey || held.fold.ownershipType === 'FAMILY_SHARED') return
  if (await findByChain(tx, projectId, store, chainKey)) return
  const sources = await listSources(tx, held.id)
  if (sources.some(({ cause }) => cause.kind !== 'IMPORT')) return
  await updatePurchase(tx, held.id, { chainKey, originalTransactionId })
  if (store === 'IOS_STORE') await insertAliases(tx, held, [held.chainKey])
}

/** Whether the import leaves purchases of the sandbox out, and this is one that the file did not bring as such. */
export async function isLeftOut(
  { ctx, job }: Run,
  { projectId, purchaseId }: AnchorRow,
  environment: PurchaseEnvironment,
): Promise<boolean> {
  if (environment === 'PRODUCTION' || !job.options.skipSandbox) return false
  const held = purchaseId === null ? null : await findPurchaseById(ctx, projectId, purchaseId)
  return held?.environment !== 'SANDBOX'
}
