import { slice } from '../../base/slice'
import { queryCommand } from './command'
import { sqlEditorRoutes } from './operator-routes'
import { RunPool } from './run-pool'
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
  cachedRows: { savedQueries: 'NOBODY' },
  personalData: { savedQueries: 'NOTHING' },
  state: { sqlQueries: () => new RunPool() },
  operatorRoutes: sqlEditorRoutes,
  commands: [queryCommand],
})
