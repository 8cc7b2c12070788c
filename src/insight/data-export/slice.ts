import { slice } from '../../base/slice'
import { exportCommand } from './command'
import { exportExamination } from './doctor'
import { enqueueDueExports, exportJob, runRetention } from './jobs'
import { exportOperatorRoutes } from './operator-routes'
import { EXPORT_FAILED } from './perform-schedule'
import { exportTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    exs: string
    exr: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    /** Whether this process is writing an export of a schedule. */
    exportTurn: { isTaken: boolean }
  }
}

const DUE_MS = 15_000

/** The data of a project as files, at once or daily, in a folder or in a bucket. */
export const dataExport = slice({
  name: 'data-export',
  retention: [runRetention],
  tables: exportTables,
  cachedRows: { exportSchedules: 'NOBODY', exportRuns: 'NOBODY' },
  personalData: { exportSchedules: 'NOTHING', exportRuns: 'NOTHING' },
  state: { exportTurn: () => ({ isTaken: false }) },
  operatorRoutes: exportOperatorRoutes,
  jobs: [exportJob],
  loops: [{ name: 'scheduled exports', everyMs: DUE_MS, run: enqueueDueExports }],
  noticeKinds: [EXPORT_FAILED],
  doctor: exportExamination,
  commands: [exportCommand],
})
