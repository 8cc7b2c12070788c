import { slice } from '../../base/slice'
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
  metrics: verifyMetrics,
  cachedRows: {
    importJobs: 'NOBODY',
    importSubscribers: 'NOBODY',
    importPurchases: 'NOBODY',
    importAnchors: 'NOBODY',
  },
})
