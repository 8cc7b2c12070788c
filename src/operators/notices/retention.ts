import { DAY } from '../../base/lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../base/retention/rule'
import { deleteOldNotices } from './queries'

const KEPT_MS = 90 * DAY

export const noticeRetention: RetentionRule = {
  name: 'notices',
  tables: ['notices'],
  keptMs: KEPT_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, (tx, limit) => deleteOldNotices(tx, tx.clock.now() - KEPT_MS, limit)),
  oldest: (handle) => oldestOf(handle, handle.tables.notices, handle.tables.notices.createdAt, KEPT_MS),
}
