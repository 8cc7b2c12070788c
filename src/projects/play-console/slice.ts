import { Elysia } from 'elysia'
import { CircuitBreaker } from '../../base/lib/circuit'
import { slice } from '../../base/slice'
import { androidCatalog } from './catalog'
import { androidCredentialsRoutes } from './credentials-routes'
import { pubsubRoutes } from './pubsub-routes'
import { deleteSetup } from './queries'
import { playConsoleTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    /** For the calls with which people connect their app. Failures there do not stop the recording of purchases. */
    playConsole: { pubsubCircuit: CircuitBreaker; probeCircuit: CircuitBreaker }
  }
}

export const playConsole = slice({
  name: 'play-console',
  state: { playConsole: () => ({ pubsubCircuit: new CircuitBreaker(), probeCircuit: new CircuitBreaker() }) },
  tables: playConsoleTables,
  cachedRows: { pubsubSetups: 'NOBODY' },
  personalData: { pubsubSetups: 'NOTHING' },
  operatorRoutes: (ctx) => new Elysia().use(androidCredentialsRoutes(ctx)).use(pubsubRoutes(ctx)),
  storeCatalogs: [androidCatalog],
  onAndroidRemoved: deleteSetup,
})
