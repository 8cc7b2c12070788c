import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { MINUTE } from '../../base/lib/clock'
import { type CredentialLockRow, deleteLock, findLock, saveLock } from './queries'
import type { LockedAction } from './tables'

/** The lock of a project's Android credentials, as its holder keeps it. */
export interface CredentialLock {
  projectId: string
  holder: string
}

/** Longer than all calls to Google of one change can take. */
const LEASE_MS = 2 * MINUTE

/**
 * Runs one change of a project's Android connection. While it runs, 409 `PUBSUB_CONNECT_IN_PROGRESS` is answered to
 * every other one, in all processes. The lock is a lease in the database, so that one whose process has died ends.
 */
export async function withCredentialLock<Result>(
  ctx: Context,
  projectId: string,
  action: LockedAction,
  work: (lock: CredentialLock) => Promise<Result>,
): Promise<Result> {
  const lock: CredentialLock = { projectId, holder: ctx.ids.uuid() }
  await ctx.write(async (tx) => {
    await refuseLocked(tx, projectId)
    await saveLock(tx, { ...lock, action, expiresAt: tx.clock.now() + LEASE_MS })
  })
  try {
    return await work(lock)
  } finally {
    await ctx.write((tx) => deleteLock(tx, projectId, lock.holder))
  }
}

/** Refuses while another person changes the Android connection. Holds until the end of the transaction. */
export async function refuseLocked(tx: Tx, projectId: string): Promise<void> {
  const held = await readLock(tx, projectId)
  if (held) throw inProgress(held.action)
}

/** Called before a change is saved: the lease may have run out, and another person may have started. */
export async function requireLock(tx: Tx, { projectId, holder }: CredentialLock): Promise<void> {
  const held = await readLock(tx, projectId)
  if (held?.holder !== holder) throw inProgress(held?.action ?? null)
}

/** The lock, unless its lease has run out. */
async function readLock(tx: Tx, projectId: string): Promise<CredentialLockRow | null> {
  await tx.lock(`credentials:${projectId}`)
  const row = await findLock(tx, projectId)
  return row && row.expiresAt > tx.clock.now() ? row : null
}

const inProgress = (action: LockedAction | null): AppError =>
  new AppError('PUBSUB_CONNECT_IN_PROGRESS', action === 'disconnect' ? { action } : undefined)
