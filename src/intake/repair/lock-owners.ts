import type { Tx } from '../../base/context'
import { lockChain } from '../../people/purchases/lock'
import { listByOriginal, type PurchaseRow } from '../../people/purchases/queries'

const STORE = 'IOS_STORE'

/** Locks the purchases of an original transaction id and their owners. */
export async function lockSale(tx: Tx, projectId: string, original: string): Promise<PurchaseRow[]> {
  await lockChain(tx, projectId, STORE, original)
  return lockOwners(tx, projectId, original)
}

/** Locks the owners of the rows and reads them again: one may have got another owner during the wait. */
async function lockOwners(tx: Tx, projectId: string, original: string): Promise<PurchaseRow[]> {
  const locked = ownersOf(await listByOriginal(tx, projectId, STORE, original))
  for (const id of locked) await tx.lock(`subscriber:${id}`)
  const rows = await listByOriginal(tx, projectId, STORE, original)
  return ownersOf(rows).every((id) => locked.includes(id)) ? rows : lockOwners(tx, projectId, original)
}

export const ownersOf = (rows: readonly PurchaseRow[]): string[] =>
  [...new Set(rows.map(({ subscriberId }) => subscriberId))].sort()
