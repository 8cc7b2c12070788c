import { slice } from '../../base/slice'
import { deliveryLogRoutes } from './operator-routes'
import { replayJob } from './replay-page'
import { replayTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    rpl: string
  }
}

/** The log of deliveries, and what people do with deliveries: retry, dismiss, redeliver, replay. */
export const deliveryLog = slice({
  name: 'delivery-log',
  tables: replayTables,
  cachedRows: { deliveryReplays: 'NOBODY' },
  personalData: { deliveryReplays: 'NOTHING' },
  jobs: [replayJob],
  operatorRoutes: deliveryLogRoutes,
})
