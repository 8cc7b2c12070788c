import { slice } from '../../base/slice'
import { compareCommand } from './command'
import { compareExamination } from './doctor'
import { eraseFindings } from './erased-people'
import { beginDueRuns, compareJob } from './jobs'
import { COMPARISON_DIFFERS } from './notices'
import { compareOperatorRoutes } from './operator-routes'
import { compareRetention } from './retention'
import { compareTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    cmp: string
    csc: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    /** Whether this process works on a comparison of the queue. */
    compareTurn: { isTaken: boolean }
  }
}

const DUE_MS = 15_000

/** The view of the vendor that is left beside ours, before and after the switch. */
export const comparing = slice({
  name: 'compare',
  tags: [{ name: 'Comparison', description: 'What the service that a project leaves knows about the same people.' }],
  tables: compareTables,
  cachedRows: { compareRuns: 'NOBODY', compareFindings: 'NOBODY', compareLater: 'NOBODY', compareSchedules: 'NOBODY' },
  state: { compareTurn: () => ({ isTaken: false }) },
  operatorRoutes: compareOperatorRoutes,
  noticeKinds: [COMPARISON_DIFFERS],
  retention: [compareRetention],
  jobs: [compareJob],
  loops: [{ name: 'nightly comparisons', everyMs: DUE_MS, run: beginDueRuns }],
  onErase: eraseFindings,
  personalData: {
    compareRuns: 'NOTHING',
    compareFindings: 'ERASED',
    compareLater: 'ERASED',
    compareSchedules: 'NOTHING',
  },
  exportedRows: {
    compareFindings: { withheld: 'what another service has said; it answers for its own data' },
    compareLater: { withheld: 'whom a comparison asks about again; it is deleted at its end' },
  },
  doctor: compareExamination,
  commands: [compareCommand],
})
