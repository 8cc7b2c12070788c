import { SECOND } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { platformRoutes } from './admin-routes'
import './figures'
import { deleteGrantsOf } from './grant-queries'
import { supportRoutes } from './operator-routes'
import { RequestRate } from './request-rate'
import { roleByGrant } from './support-grants'
import { platformTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    sgr: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    requestRate: RequestRate
  }
}

/** Platform administration, and the support access of its administrators to projects. */
export const platform = slice({
  name: 'platform',
  tables: platformTables,
  cachedRows: { supportGrants: 'NOBODY' },
  personalData: { supportGrants: 'NOTHING' },
  state: { requestRate: () => new RequestRate() },
  operatorRoutes: supportRoutes,
  adminRoutes: platformRoutes,
  memberRole: roleByGrant,
  onDeleteUser: deleteGrantsOf,
  loops: [
    {
      name: 'request rate',
      everyMs: 10 * SECOND,
      run: async ({ state, clock, metrics }) => state.requestRate.sample(clock.now(), metrics.requests.total()),
    },
  ],
})
