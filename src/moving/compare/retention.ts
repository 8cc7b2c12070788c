import { and, inArray, lt, ne } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../base/retention/rule'
import { RUNS_KEPT_MS } from './model'

/** Deletes comparisons that started before an instant, with their findings. Returns how many. */
async function deleteOldRuns({ db, tables }: Tx, before: number, limit: number): Promise<number> {
  const { compareRuns: r, compareFindings: f, compareLater: l } = tables
  const isOld = and(ne(r.status, 'RUNNING'), lt(r.startedAt, before))
  const ids = (await db.select({ id: r.id }).from(r).where(isOld).limit(limit)).map(({ id }) => id)
  if (ids.length === 0) return 0
  await db.delete(f).where(inArray(f.runId, ids))
  await db.delete(l).where(inArray(l.runId, ids))
  await db.delete(r).where(inArray(r.id, ids))
  return ids.length
}

export const compareRetention: RetentionRule = {
  name: 'comparisons with another service',
  tables: ['compareRuns', 'compareFindings', 'compareLater'],
  keptMs: RUNS_KEPT_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, (tx, limit) => deleteOldRuns(tx, ctx.clock.now() - RUNS_KEPT_MS, limit)),
  oldest: (handle) => {
    const { compareRuns: r } = handle.tables
    return oldestOf(handle, r, r.startedAt, RUNS_KEPT_MS, ne(r.status, 'RUNNING'))
  },
}
