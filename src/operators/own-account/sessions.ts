import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { toList } from '../../base/http/list'
import { toIso } from '../../base/lib/time'
import type { Actor } from '../../projects/audit/audit'
import { readAfter } from '../accounts/after'
import { recordAccount } from '../accounts/audit-entry'
import { endSession, endSessions } from '../accounts/sessions'
import { listSessionRows, type SessionRow } from './queries'

export interface Query {
  limit?: number | undefined
  cursor?: string | undefined
}

export async function listSessions(ctx: Context, userId: string, currentId: string | null, query: Query) {
  const { limit = 50, cursor } = query
  const scope = ['sessions', userId]
  const rows = await listSessionRows(ctx, userId, readAfter(cursor, scope), limit + 1)
  return toList(rows, limit, scope, {
    positionOf: ({ createdAt, id }) => [createdAt, id],
    toItem: (row) => toSessionView(row, currentId),
  })
}

export const toSessionView = (row: SessionRow, currentId: string | null) => ({
  id: row.id,
  ip: row.ip,
  userAgent: row.userAgent,
  lastSeenAt: toIso(row.lastSeenAt),
  current: row.id === currentId,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.lastSeenAt),
})

/** Ends one session. The next request with an ended session is refused. */
export const revokeSession = (ctx: Context, actor: Actor, userId: string, id: string): Promise<void> =>
  ctx.write(async (tx) => {
    if (!(await endSession(tx, userId, id))) throw notFound('session', id)
    await recordAccount(tx, actor, userId, 'session.revoke', { before: { sessionId: id } })
  })

/** Ends all sessions of the user but the given one. */
export const revokeOtherSessions = (
  ctx: Context,
  actor: Actor,
  userId: string,
  currentId: string | null,
): Promise<void> =>
  ctx.write(async (tx) => {
    const endedSessions = await endSessions(tx, userId, currentId)
    if (endedSessions > 0) await recordAccount(tx, actor, userId, 'session.revoke_others', { after: { endedSessions } })
  })
