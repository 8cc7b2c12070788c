import { and, eq, gt } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import { AppError } from '../../base/errors'

/**
 * 401 when the session of a request has ended since the request was let in. What is made here outlives sessions: a new
 * password that ended the session must have ended this too. Call it under the lock of the user.
 */
export async function requireOpenSession(tx: Tx, userId: string, sessionId: string | undefined): Promise<void> {
  if (sessionId === undefined || !(await hasSession(tx, userId, sessionId))) throw new AppError('UNAUTHORIZED')
}

export async function hasSession({ db, tables, clock }: Tx, userId: string, sessionId: string): Promise<boolean> {
  const { userSessions: s } = tables
  const isIt = and(eq(s.id, sessionId), eq(s.userId, userId), gt(s.expiresAt, clock.now()))
  return (await db.select({ id: s.id }).from(s).where(isIt)).length > 0
}
