import { and, eq, inArray, lt } from 'drizzle-orm'
import { DAY } from '../lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from './rule'

const KEPT_MS = 90 * DAY

/** Until then somebody can see why a job has given up, and repeat it. */
export const jobRetention: RetentionRule = {
  name: 'jobs that have given up',
  tables: ['jobs'],
  keptMs: KEPT_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, async ({ db, clock, tables: { jobs: j } }, limit) => {
      const isOld = and(eq(j.state, 'DEAD'), lt(j.runAt, clock.now() - KEPT_MS))
      const old = db.select({ id: j.id }).from(j).where(isOld).limit(limit)
      return (await db.delete(j).where(inArray(j.id, old)).returning({ id: j.id })).length
    }),
  oldest: (handle) => {
    const { jobs: j } = handle.tables
    return oldestOf(handle, j, j.runAt, KEPT_MS, eq(j.state, 'DEAD'))
  },
}
