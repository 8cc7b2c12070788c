import { ne } from 'drizzle-orm'
import { oldestOf, type RetentionRule } from '../../base/retention/rule'
import { RUNS_KEPT } from './begin'
import { deleteOldRuns } from './queries'

/** The files of an export are where their target is, and stay there. */
export const runRetention: RetentionRule = {
  name: 'runs of data exports',
  tables: ['exportRuns'],
  keptMs: RUNS_KEPT,
  sweep: (ctx) => ctx.write((tx) => deleteOldRuns(tx, tx.clock.now() - RUNS_KEPT)),
  oldest: (handle) => {
    const { exportRuns: r } = handle.tables
    return oldestOf(handle, r, r.startedAt, RUNS_KEPT, ne(r.status, 'RUNNING'))
  },
}
