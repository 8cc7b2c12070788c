import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { SliceHooks } from '../../base/state'

/** At a merge, what was bought in a funnel is of the remaining subscriber, and so is the session. */
export const sessionsMerge: SliceHooks['onMerge'] = {
  merge: async (tx, { from, to }) => {
    const funnelSessionIds = await giveSessions(tx, from.id, to.id)
    return { moved: funnelSessionIds.length === 0 ? {} : { funnelSessionIds } }
  },
  undo: async (tx, { from, to }, { moved: { funnelSessionIds = [] } }) => {
    if (funnelSessionIds.length > 0) await giveSessions(tx, to.id, from.id, funnelSessionIds)
    return { moved: {} }
  },
}

/** All sessions of a subscriber, or those named that the subscriber still has. */
async function giveSessions(tx: Tx, fromId: string, toId: string, named?: readonly string[]): Promise<string[]> {
  const { funnelSessions: s } = tx.tables
  const isOwn = and(eq(s.subscriberId, fromId), named && inArray(s.id, [...named]))
  const rows = await tx.db.update(s).set({ subscriberId: toId }).where(isOwn).returning({ id: s.id })
  return rows.map(({ id }) => id).sort()
}
