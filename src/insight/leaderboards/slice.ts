import { SharedWork } from '../../base/jobs/shared-work'
import { slice } from '../../base/slice'
import type { OnErase } from '../../people/subscribers/hooks'
import { leaderboardOperatorRoutes } from './operator-routes'
import { exportPlaces } from './personal-export'
import { deleteResultsOfProject } from './queries'
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

/** At an erasure: forgets what was computed, which names the person. It is computed again when it is read. */
const eraseEntries: OnErase = async (tx, project) => ({
  leaderboard_pages: { removed: await deleteResultsOfProject(tx, project.id) },
})

/** People in the order of what they hold, pay or do. */
export const leaderboards = slice({
  name: 'leaderboards',
  tables: leaderboardTables,
  cachedRows: { leaderboards: 'NOBODY', leaderboardResults: 'NOBODY', leaderboardPages: 'NOBODY' },
  personalData: { leaderboards: 'NOTHING', leaderboardResults: 'NOTHING', leaderboardPages: 'REDUCED' },
  exportedRows: { leaderboardPages: 'groups.jsonl' },
  onExport: exportPlaces,
  state: { leaderboardWork: () => new SharedWork() },
  operatorRoutes: leaderboardOperatorRoutes,
  onErase: eraseEntries,
})
