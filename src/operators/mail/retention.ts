import { DAY } from '../../base/lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../base/retention/rule'
import { deleteOldMails } from './queries'

const KEPT_MS = 90 * DAY

export const mailRetention: RetentionRule = {
  name: 'mails in the outbox',
  tables: ['mails'],
  keptMs: KEPT_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, (tx, limit) => deleteOldMails(tx, tx.clock.now() - KEPT_MS, limit)),
  oldest: (handle) => oldestOf(handle, handle.tables.mails, handle.tables.mails.createdAt, KEPT_MS),
}
