import { slice } from '../../base/slice'
import { backfillJob } from './backfill'
import { INTEGRATION_DISABLED } from './disable'
import { integrationDeliveries } from './kind'
import { integrationRoutes } from './operator-routes'
import { integrationTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    int: string
  }
}

/** Connections to ads, analytics, attribution, lifecycle and chat providers. */
export const integrations = slice({
  name: 'integrations',
  tables: integrationTables,
  cachedRows: { integrations: 'NOBODY' },
  personalData: { integrations: 'NOTHING' },
  deliveryKind: integrationDeliveries,
  noticeKinds: [INTEGRATION_DISABLED],
  jobs: [backfillJob],
  operatorRoutes: integrationRoutes,
})
