import { DAY } from '../../../base/lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../../base/retention/rule'
import { deleteIntent, listIntentsBefore } from './queries'

const KEPT_MS = 90 * DAY

/** What was done is in the audit log. */
export const intentRetention: RetentionRule = {
  name: 'proposals of the assistant',
  tables: ['assistantIntents'],
  keptMs: KEPT_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, async (tx, limit) => {
      const old = await listIntentsBefore(tx, tx.clock.now() - KEPT_MS, limit)
      for (const { id } of old) await deleteIntent(tx, id)
      return old.length
    }),
  oldest: (handle) =>
    oldestOf(handle, handle.tables.assistantIntents, handle.tables.assistantIntents.createdAt, KEPT_MS),
}
