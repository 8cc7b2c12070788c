import { and, eq, inArray, lt } from 'drizzle-orm'
import { ANSWER_KEPT_MS, deleteOldAnswers } from '../http/idempotency'
import { DAY } from '../lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from './rule'

export const answerRetention: RetentionRule = {
  name: 'answers of Idempotency-Keys',
  tables: ['idempotencyKeys'],
  keptMs: ANSWER_KEPT_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, (tx, limit) => deleteOldAnswers(tx, tx.clock.now() - ANSWER_KEPT_MS, limit)),
  oldest: (handle) =>
    oldestOf(handle, handle.tables.idempotencyKeys, handle.tables.idempotencyKeys.claimedAt, ANSWER_KEPT_MS),
}

const KEPT_MS = 90 * DAY

/** Until then a person can see why a job has given up, and repeat it. */
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
