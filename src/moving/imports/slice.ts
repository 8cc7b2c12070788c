import { SECOND } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { importCommand } from './commands/command'
import { enqueueLostImports, importJob } from './jobs'
import { importOperatorRoutes } from './operator-routes'
import { importFileRetention } from './retention'
import { importSteps } from './steps'
import { importTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    imp: string
  }
}

/** The history of an app that another service has exported. */
export const imports = slice({
  name: 'imports',
  tables: importTables,
  cachedRows: {
    importJobs: 'NOBODY',
    importSubscribers: 'NOBODY',
    importPurchases: 'NOBODY',
    importAnchors: 'NOBODY',
  },
  tags: [{ name: 'Imports', description: 'History that another service has exported.' }],
  state: { importSteps: () => importSteps, importTurn: () => ({ isTaken: false }) },
  operatorRoutes: importOperatorRoutes,
  filePaths: [/^\/dashboard\/projects\/[^/]+\/imports(\/[^/]+\/parts)?$/],
  retention: [importFileRetention],
  jobs: [importJob],
  commands: [importCommand],
  loops: [{ name: 'lost imports', everyMs: 15 * SECOND, isRunAtStart: true, run: enqueueLostImports }],
})
