import type { Tx } from '../../base/context'
import type { PurchaseRow } from './queries'

/**
 * Takes the lock of a purchase, under which its observations are added. Receipts and notifications of the iOS store lock
 * all purchases of an original transaction, those of the other stores the chain.
 */
export function lockPurchaseOf(
  tx: Tx,
  {
    projectId,
    store,
    chainKey,
    originalTransactionId,
  }: Pick<PurchaseRow, 'projectId' | 'store' | 'chainKey' | 'originalTransactionId'>,
): Promise<void> {
  const name = store === 'IOS_STORE' ? originalTransactionId : chainKey
  return tx.lock(`purchase:${projectId}:${store}:${name}`)
}
