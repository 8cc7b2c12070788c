import type { Tx } from '../../base/context'
import { resolvePurchaseIds } from '../../people/purchases/holdings'
import { purchaseLockName } from '../../people/purchases/lock'
import { listByManyIds } from '../../people/purchases/many-queries'
import type { PurchaseRow } from '../../people/purchases/queries'
import { lockWithOwner } from '../recording/held'

/**
 * The purchases under their locks and those of their owners. Locks are taken as everywhere: those of purchases before
 * those of owners, and each kind in the order of the names. What is gone by then is left out.
 */
export async function lockPurchases(tx: Tx, projectId: string, ids: readonly string[]): Promise<PurchaseRow[]> {
  const found = await listFound(tx, projectId, ids)
  if (!tx.needsLocks) return found
  await lockAll(tx, found.map(purchaseLockName))
  await lockAll(
    tx,
    found.map(({ subscriberId }) => `subscriber:${subscriberId}`),
  )
  const owners = new Map(found.map(({ id, subscriberId }) => [id, subscriberId]))
  const locked: PurchaseRow[] = []
  for (const row of await listFound(tx, projectId, ids)) {
    const held = owners.get(row.id) === row.subscriberId ? row : await lockWithOwner(tx, row)
    if (held) locked.push(held)
  }
  return locked
}

/** The rows with these ids, or those that they were joined with. */
async function listFound(tx: Tx, projectId: string, ids: readonly string[]): Promise<PurchaseRow[]> {
  const rows = await listByManyIds(tx, projectId, ids)
  if (rows.length === ids.length) return rows
  return listByManyIds(tx, projectId, await resolvePurchaseIds(tx, projectId, ids))
}

async function lockAll(tx: Tx, names: readonly string[]): Promise<void> {
  await Promise.all([...new Set(names)].sort().map((name) => tx.lock(name)))
}
