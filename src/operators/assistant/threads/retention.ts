import { DAY } from '../../../base/lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../../base/retention/rule'
import { deleteThreadRows, listThreadsBefore } from './queries'

const KEPT_MS = 90 * DAY

/** Counted from the last message of a thread. */
export const threadRetention: RetentionRule = {
  name: 'threads of the assistant',
  tables: ['assistantThreads', 'assistantMessages'],
  keptMs: KEPT_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, async (tx, limit) => {
      const old = await listThreadsBefore(tx, tx.clock.now() - KEPT_MS, limit)
      for (const { id } of old) await deleteThreadRows(tx, id)
      return old.length
    }),
  oldest: (handle) =>
    oldestOf(handle, handle.tables.assistantThreads, handle.tables.assistantThreads.lastMessageAt, KEPT_MS),
}
