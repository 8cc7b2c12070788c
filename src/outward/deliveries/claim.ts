import type { Tx } from '../../base/context'
import { SECOND } from '../../base/lib/clock'
import { type DeliveryRow, findDeliveryById, leaseDeliveries, listDue, type TargetRow } from './queries'
import { type DeliveryDraft, queueDeliveries } from './queue'
import type { TargetHealth } from './tables'
import { earliestDue, listDueTargets, lockTargets, makeDue, setDue } from './target-queries'

/** How long an attempt may hold its delivery. A crash lets it run out, and the delivery is attempted again. */
export const LEASE_MS = 60 * SECOND

/** A delivery whose attempt this process makes now. */
export interface Claim {
  row: DeliveryRow
  target: Pick<TargetRow, 'targetId' | 'isOrdered' | 'health' | 'createdAt'>
}

/** How many attempts this process can start. */
export interface Room {
  /** By the health of the targets. */
  of: Readonly<Record<TargetHealth, number>>
  /** In all. */
  all: number
  /** Targets with attempts under way. */
  full: ReadonlySet<string>
  /** Attempts that a target of this health may start. */
  forTarget(targetId: string, health: TargetHealth): number
}

const ORDER: readonly TargetHealth[] = ['QUICK', 'NEW', 'SLOW']

/**
 * Leases due deliveries to this process: the targets that have waited longest come first, and quick ones have room of
 * their own, so that slow ones never hold them up. A target's row stays locked until the commit; what another process
 * holds is passed over.
 */
export async function claim(tx: Tx, room: Room): Promise<Claim[]> {
  const claims: Claim[] = []
  const unproven = () => claims.filter(({ target }) => target.health !== 'QUICK').length
  for (const health of ORDER) {
    const own = room.of[health] - (health === 'QUICK' ? 0 : unproven())
    claims.push(...(await claimOf(tx, health, Math.min(own, room.all - claims.length), room)))
  }
  return claims
}

async function claimOf(tx: Tx, health: TargetHealth, limit: number, room: Room): Promise<Claim[]> {
  const claims: Claim[] = []
  if (limit <= 0) return claims
  for (const target of await listDueTargets(tx, health, tx.clock.now(), limit + room.full.size)) {
    const wanted = Math.min(limit - claims.length, room.forTarget(target.targetId, health))
    if (wanted > 0) claims.push(...(await claimFrom(tx, target, wanted)))
  }
  return claims
}

async function claimFrom(tx: Tx, target: TargetRow, limit: number): Promise<Claim[]> {
  const now = tx.clock.now()
  const rows = await listDue(tx, target.targetId, now, limit)
  const lease = { leaseId: tx.ids.uuid(), dueAt: now + LEASE_MS }
  if (rows.length > 0)
    await leaseDeliveries(
      tx,
      rows.map(({ position }) => position),
      lease,
    )
  const next = await earliestDue(tx, target.targetId)
  // A target with more to send goes behind the others.
  await setDue(tx, target.targetId, next === null ? null : Math.max(next, now))
  return rows.map((row) => ({ row: { ...row, ...lease, status: 'DELIVERING' }, target }))
}

/**
 * Queues a delivery and leases it in the same transaction, so that no other process makes its attempt: the caller does,
 * and knows its outcome.
 */
export async function queueClaimed(tx: Tx, draft: DeliveryDraft): Promise<Claim> {
  const [id = ''] = await queueDeliveries(tx, [draft])
  const row = await findDeliveryById(tx, id)
  const [target] = await lockTargets(tx, [draft.targetId])
  if (!row || !target) throw new Error('a queued delivery without a row or a target')
  const lease = { leaseId: tx.ids.uuid(), dueAt: tx.clock.now() + LEASE_MS }
  await leaseDeliveries(tx, [row.position], lease)
  await makeDue(tx, row.targetId, lease.dueAt)
  return { row: { ...row, ...lease, status: 'DELIVERING' }, target }
}
