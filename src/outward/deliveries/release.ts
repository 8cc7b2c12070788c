import type { Tx } from '../../base/context'
import type { Claim } from './claim'
import { type DeliveryRow, listLeased, saveAttempt } from './queries'
import { listTargetIds, lockTargets, makeDue } from './target-queries'

/** Releases the leases of every process, so that their deliveries are attempted at once. */
export async function releaseLeases(tx: Tx): Promise<void> {
  for (const targetId of await listTargetIds(tx))
    for (const row of await listLeased(tx, targetId, tx.clock.now())) await release(tx, row)
}

/** Releases the leases of these claims, unless their outcome has been saved. */
export async function releaseOf(tx: Tx, claims: readonly Claim[]): Promise<void> {
  // In one order, so that two processes never wait for each other.
  await lockTargets(tx, [...new Set(claims.map(({ row }) => row.targetId))])
  for (const { row } of claims) await release(tx, row)
}

async function release(tx: Tx, row: DeliveryRow): Promise<void> {
  const now = tx.clock.now()
  const status = row.attempts === 0 ? 'PENDING' : 'FAILED'
  const isReleased = await saveAttempt(tx, row, { status, dueAt: now, leaseId: null })
  if (isReleased) await makeDue(tx, row.targetId, now)
}
