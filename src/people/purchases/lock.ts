import type { Tx } from '../../base/context'
import type { PurchaseRow } from './queries'

type Locked = Pick<PurchaseRow, 'projectId' | 'store' | 'chainKey' | 'originalTransactionId'>

/** Takes the lock of a purchase, under which its observations are added. */
export const lockPurchaseOf = (tx: Tx, purchase: Locked): Promise<void> => tx.lock(purchaseLockName(purchase))

/** The same lock before any row is read. `key`: the original transaction id at the iOS store, else the chain key. */
export const lockChain = (tx: Tx, projectId: string, store: PurchaseRow['store'], key: string): Promise<void> =>
  tx.lock(chainLockName(projectId, store, key))

/** The name of the lock that `lockChain` takes. */
export const chainLockName = (projectId: string, store: PurchaseRow['store'], key: string): string =>
  `purchase:${projectId}:${store}:${key}`

/** The name of the lock of a purchase. All purchases of an original transaction of the iOS store have the same lock. */
export const purchaseLockName = ({ projectId, store, chainKey, originalTransactionId }: Locked): string =>
  chainLockName(projectId, store, store === 'IOS_STORE' ? originalTransactionId : chainKey)
