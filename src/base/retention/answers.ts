import { ANSWER_KEPT_MS, deleteOldAnswers } from '../http/idempotency'
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
