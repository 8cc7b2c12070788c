import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { SliceHooks } from '../../base/state'
import { inRange } from '../sessions/service'

/** What was paid in funnels until now, less what was given back, by session and kind of store. */
export const funnelSales: SliceHooks['funnelSales'] = async (handle, range) => {
  const { funnelPayments: p, funnelSessions: s, transactions: t } = handle.tables
  const rows = await handle.db
    .select({
      sessionId: p.sessionId,
      environment: t.environment,
      usdMicros: sql<number>`coalesce(sum(${t.usdMicros}), 0)`.mapWith(Number),
    })
    .from(p)
    .innerJoin(s, eq(s.id, p.sessionId))
    .innerJoin(t, eq(t.purchaseId, p.purchaseId))
    .where(and(inRange(handle.tables, range), isNotNull(p.paidAt)))
    .groupBy(p.sessionId, t.environment)
  return rows.map(({ environment, ...row }) => ({ ...row, isSandbox: environment !== 'PRODUCTION' }))
}
