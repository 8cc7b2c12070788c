import { Elysia } from 'elysia'
import { slice } from '../../base/slice'
import { androidCatalog } from './catalog'
import { androidCredentialsRoutes } from './credentials-routes'
import { pubsubRoutes } from './pubsub-routes'
import { deleteSetup } from './queries'
import { playConsoleTables } from './tables'

export const playConsole = slice({
  name: 'play-console',
  tables: playConsoleTables,
  cachedRows: { pubsubSetups: 'NOBODY' },
  operatorRoutes: (ctx) => new Elysia().use(androidCredentialsRoutes(ctx)).use(pubsubRoutes(ctx)),
  storeCatalogs: [androidCatalog],
  onAndroidRemoved: deleteSetup,
})
