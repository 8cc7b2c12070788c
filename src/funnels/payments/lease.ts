import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { SECOND } from '../../base/lib/clock'
import { isGone, processName } from '../../base/lib/this-process'
import { lockedSession, type SessionRow } from '../sessions/service'
import { freeLease, listLeases, saveLease } from './queries'

const LEASE_MS = 60 * SECOND

/** The right to work on the payment of a session, which one call at a time has. */
export interface HeldLease {
  session: SessionRow
  /** Grows with each lease. A holder with an older fence writes nothing. */
  fence: number
}

/**
 * Runs the work with the lease of a session. 409 `PAYMENT_IN_FLIGHT` while another call has it, 503
 * `PAYMENT_TEMPORARILY_UNAVAILABLE` where none can be taken.
 */
export async function withLease<Result>(
  ctx: Context,
  sessionId: string,
  work: (lease: HeldLease) => Promise<Result>,
): Promise<Result> {
  const lease = await takeLease(ctx, sessionId)
  try {
    return await work(lease)
  } finally {
    await ctx.write((tx) => freeLease(tx, sessionId, lease.fence))
  }
}

async function takeLease(ctx: Context, sessionId: string): Promise<HeldLease> {
  try {
    return await ctx.write((tx) => take(tx, sessionId, processName(ctx.instanceId)))
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'DATABASE_UNAVAILABLE')
      throw new AppError('PAYMENT_TEMPORARILY_UNAVAILABLE', undefined, { cause: error, retryAfter: 5 })
    throw error
  }
}

async function take(tx: Tx, sessionId: string, leaseHolder: string): Promise<HeldLease> {
  const session = await lockedSession(tx, sessionId)
  const now = tx.clock.now()
  if (session.leaseHolder !== null && (session.leaseUntil ?? 0) > now) throw new AppError('PAYMENT_IN_FLIGHT')
  const fence = session.leaseFence + 1
  await saveLease(tx, sessionId, { leaseFence: fence, leaseHolder, leaseUntil: now + LEASE_MS })
  return { session, fence }
}

/** The locked session. 409 `PAYMENT_IN_FLIGHT` for a holder whose lease was taken over. */
export async function fencedSession(tx: Tx, sessionId: string, fence: number): Promise<SessionRow> {
  const session = await lockedSession(tx, sessionId)
  if (session.leaseFence !== fence) throw new AppError('PAYMENT_IN_FLIGHT')
  return session
}

/** Frees the leases of processes of this machine that have ended. */
export async function freeLostLeases(ctx: Context): Promise<void> {
  const lost = (await listLeases(ctx)).filter(({ holder }) => isGone(holder, ctx.instanceId))
  if (lost.length > 0)
    await ctx.write(async (tx) => {
      for (const { id, fence } of lost) await freeLease(tx, id, fence)
    })
}
