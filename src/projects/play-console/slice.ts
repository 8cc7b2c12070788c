import { slice } from '../../base/slice'
import { pubsubRoutes } from './pubsub-routes'
import { playConsoleTables } from './tables'

export const playConsole = slice({
  name: 'play-console',
  tables: playConsoleTables,
  cachedRows: { pubsubSetups: 'NOBODY' },
  operatorRoutes: pubsubRoutes,
})
