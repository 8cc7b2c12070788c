import { SECOND } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { importCommand } from './commands/command'
import { eraseUploads } from './erased-uploads'
import { enqueueLostImports, importJob, importTurns } from './jobs'
import { IMPORT_ENDED } from './notices'
import { joinMarks } from './on-joined'
import { importOperatorRoutes } from './operator-routes'
import { eraseImported } from './personal-data'
import { exportImported } from './personal-export'
import { importFileRetention, keptUploads } from './retention'
import { importSteps } from './steps'
import { importTables } from './tables'
import { verifyMetrics } from './verify/metrics'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    imp: string
  }
}

/** The history of an app that another service has exported. */
export const imports = slice({
  name: 'imports',
  tables: importTables,
  onErase: eraseImported,
  afterErase: eraseUploads,
  metrics: verifyMetrics,
  noticeKinds: [IMPORT_ENDED],
  leftBehind: keptUploads,
  cachedRows: {
    importJobs: 'NOBODY',
    importSubscribers: 'NOBODY',
    importPurchases: 'NOBODY',
    importAnchors: 'NOBODY',
  },
  personalData: {
    importJobs: 'REDUCED',
    importSubscribers: 'REDUCED',
    importPurchases: 'KEPT_WITHOUT_IDENTITY',
    importAnchors: 'ERASED',
  },
  exportedRows: {
    importJobs: { withheld: 'about a whole file of many people; imports.jsonl names the jobs that brought the person' },
    importSubscribers: 'imports.jsonl',
    importPurchases: 'imports.jsonl',
    importAnchors: 'imports.jsonl',
  },
  onExport: exportImported,
  onJoined: joinMarks,
  tags: [{ name: 'Imports', description: 'History that another service has exported.' }],
  state: { importSteps: () => importSteps, importTurns },
  operatorRoutes: importOperatorRoutes,
  filePaths: [/^\/dashboard\/projects\/[^/]+\/imports(\/[^/]+\/parts)?$/],
  retention: [importFileRetention],
  jobs: [importJob],
  commands: [importCommand],
  loops: [{ name: 'lost imports', everyMs: 15 * SECOND, isRunAtStart: true, run: enqueueLostImports }],
})
