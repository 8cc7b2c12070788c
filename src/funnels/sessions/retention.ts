import { Type } from '@sinclair/typebox'
import { and, eq, inArray, isNull, lt } from 'drizzle-orm'
import type { Context, Tx } from '../../base/context'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { DAY } from '../../base/lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../base/retention/rule'

const IDLE_MS = DAY
const UNPAID_MS = 30 * DAY

/** Sessions without a call for a day become abandoned; the next answer resumes them. */
export const abandonIdle = (ctx: Context, isStopping: () => boolean = () => false): Promise<number> =>
  deleteInBatches(ctx, isStopping, async ({ db, clock, tables: { funnelSessions: s } }, limit) => {
    const isIdle = and(eq(s.state, 'IN_PROGRESS'), lt(s.activeAt, clock.now() - IDLE_MS), isNull(s.completedAt))
    const idle = db.select({ id: s.id }).from(s).where(isIdle).limit(limit)
    const change = db.update(s).set({ state: 'ABANDONED' }).where(inArray(s.id, idle))
    return (await change.returning({ id: s.id })).length
  })

const sweep = defineJob({
  name: 'funnel-sessions.abandon',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: async (ctx, _payload, isStopping) => {
    await abandonIdle(ctx, isStopping)
  },
})

/** Every ten minutes. */
export const sessionCron = [cronLine({ name: 'funnel-sessions', pattern: '*/10 * * * *', job: sweep })]

/** Sessions in which nothing was bought, with their answers. */
export const sessionRetention: RetentionRule = {
  name: 'unpaid funnel sessions',
  tables: ['funnelSessions', 'funnelAnswers', 'funnelSteps'],
  keptMs: UNPAID_MS,
  sweep: (ctx, isStopping) => deleteInBatches(ctx, isStopping, deleteUnpaid),
  oldest: (handle) => {
    const { funnelSessions: s } = handle.tables
    return oldestOf(handle, s, s.activeAt, UNPAID_MS, isNull(s.paidAt))
  },
}

async function deleteUnpaid(tx: Tx, limit: number): Promise<number> {
  const { funnelSessions: s } = tx.tables
  const isOld = and(isNull(s.paidAt), lt(s.activeAt, tx.clock.now() - UNPAID_MS))
  const rows = await tx.db.select({ id: s.id }).from(s).where(isOld).limit(limit)
  await deleteSessions(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.length
}

/** Deletes unpaid sessions with everything that belongs to them. */
export async function deleteSessions(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { funnelSessions: s, funnelAnswers: a, funnelSteps: t } = tx.tables
  for (const forget of tx.hooks.forgetFunnelSessions ?? []) await forget(tx, ids)
  await tx.db.delete(a).where(inArray(a.sessionId, [...ids]))
  await tx.db.delete(t).where(inArray(t.sessionId, [...ids]))
  await tx.db.delete(s).where(inArray(s.id, [...ids]))
}
