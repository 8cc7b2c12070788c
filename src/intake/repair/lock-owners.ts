import type { Tx } from '../../base/context'
import { listByOriginal, type PurchaseRow } from '../../people/purchases/queries'

/** Locks the owners of the rows and reads them again: one may have got another owner during the wait. */
export async function lockOwners(tx: Tx, projectId: string, original: string): Promise<PurchaseRow[]> {
  const locked = ownersOf(await listByOriginal(tx, projectId, 'IOS_STORE', original))
  for (const id of locked) await tx.lock(`subscriber:${id}`)
  const rows = await listByOriginal(tx, projectId, 'IOS_STORE', original)
  return ownersOf(rows).every((id) => locked.includes(id)) ? rows : lockOwners(tx, projectId, original)
}

export const ownersOf = (rows: readonly PurchaseRow[]): string[] =>
  [...new Set(rows.map(({ subscriberId }) => subscriberId))].sort()
