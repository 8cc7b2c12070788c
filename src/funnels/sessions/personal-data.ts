import { and, inArray, ne } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { OnErase } from '../../people/subscribers/hooks'
import type { SessionRow } from './queries'

/** No call presents an empty secret, so the session can no longer be read. */
const CLEARED: Pick<SessionRow, 'query' | 'utm' | 'referrer' | 'country' | 'visitorId' | 'secretHash'> = {
  ...{ query: {}, utm: {}, referrer: null, country: null, visitorId: null },
  secretHash: '',
}

/**
 * At an erasure: the answers of a person are deleted, and their sessions stay without what tells about them, because
 * payments and counts depend on them. A session is theirs by its buyer, and by the address that was paid with.
 */
export const eraseSessions: OnErase = async (tx, project, _subscriber, person) => {
  const ids = await sessionsOf(tx, person.ids)
  for (const list of tx.hooks.funnelSessionsOf ?? []) ids.push(...(await list(tx, project.id, person)))
  if (ids.length === 0) return {}
  const { funnelSessions: s, funnelAnswers: a } = tx.tables
  const answers = await tx.db.delete(a).where(inArray(a.sessionId, ids)).returning({ id: a.sessionId })
  const isUncleared = and(inArray(s.id, ids), ne(s.secretHash, ''))
  const sessions = await tx.db.update(s).set(CLEARED).where(isUncleared).returning({ id: s.id })
  return { funnel_answers: { removed: answers.length }, funnel_sessions: { reduced: sessions.length } }
}

async function sessionsOf(
  { db, tables: { funnelSessions: s } }: Tx,
  subscriberIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .select({ id: s.id })
    .from(s)
    .where(inArray(s.subscriberId, [...subscriberIds]))
  return rows.map(({ id }) => id)
}
