import { oldestOf, type RetentionRule } from '../../base/retention/rule'
import { deleteExpired } from './queries'

/** Each row has the end of its validity. */
export const accountRetention: RetentionRule = {
  name: 'expired sessions and links of the console',
  tables: ['userSessions', 'challenges', 'mailTokens', 'setupTokens'],
  keptMs: 0,
  sweep: (ctx) => ctx.write((tx) => deleteExpired(tx, tx.clock.now())),
  async oldest(handle) {
    const { userSessions, challenges, mailTokens, setupTokens } = handle.tables
    const found = [userSessions, challenges, mailTokens, setupTokens].map((table) =>
      oldestOf(handle, table, table.expiresAt, 0),
    )
    return (await Promise.all(found)).flat()
  },
}
