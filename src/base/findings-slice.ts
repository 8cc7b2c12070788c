import { findingExamination } from './findings/doctor'
import { FindingLog } from './findings/findings'
import { findingTables } from './findings/tables'
import { SECOND } from './lib/clock'
import { slice } from './slice'

declare module './state' {
  interface SliceState {
    /** What this server noticed about its setup. */
    findings: FindingLog
  }
}

export const findings = slice({
  name: 'findings',
  tables: findingTables,
  cachedRows: { serverFindings: 'NOBODY' },
  personalData: { serverFindings: 'NOTHING' },
  state: { findings: () => new FindingLog() },
  doctor: findingExamination,
  loops: [{ name: 'findings', everyMs: 10 * SECOND, run: (ctx) => ctx.state.findings.flush(ctx) }],
})
