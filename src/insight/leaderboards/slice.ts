import { SharedWork } from '../../base/lib/shared-work'
import { slice } from '../../base/slice'
import { leaderboardOperatorRoutes } from './operator-routes'
import { leaderboardTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    ldb: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    /** Computations of leaderboards that run in this process. */
    leaderboardWork: SharedWork
  }
}

/** People in the order of what they hold, pay or do. */
export const leaderboards = slice({
  name: 'leaderboards',
  tables: leaderboardTables,
  cachedRows: { leaderboards: 'NOBODY', leaderboardResults: 'NOBODY', leaderboardPages: 'NOBODY' },
  state: { leaderboardWork: () => new SharedWork() },
  operatorRoutes: leaderboardOperatorRoutes,
})
