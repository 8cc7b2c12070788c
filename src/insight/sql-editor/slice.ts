import { slice } from '../../base/slice'
import { queryCommand } from './command'
import { sqlEditorRoutes } from './operator-routes'
import { RunPool } from './run-pool'
import { queryUsage, runRetention } from './runs'
import { sqlEditorTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    qry: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    sqlQueries: RunPool
  }
}

/** Queries that people write, over the views of their project. */
export const sqlEditor = slice({
  name: 'sql-editor',
  tables: sqlEditorTables,
  cachedRows: { savedQueries: 'NOBODY', queryRuns: 'NOBODY' },
  personalData: { savedQueries: 'NOTHING', queryRuns: 'NOTHING' },
  usageSources: [queryUsage],
  retention: [runRetention],
  state: { sqlQueries: () => new RunPool() },
  operatorRoutes: sqlEditorRoutes,
  commands: [queryCommand],
})
