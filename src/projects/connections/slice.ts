import { Gauge } from 'prom-client'
import type { Config } from '../../base/config'
import { parseRoots, type Root } from '../../base/lib/certificates'
import type { CircuitStatus } from '../../base/lib/circuit'
import { lazily } from '../../base/lib/lazily'
import type { MetricParts } from '../../base/metrics/metrics'
import { slice } from '../../base/slice'
import { IosStore } from '../../stores/ios/store'
import { loadSimulatorRoot } from '../../stores/test-keys/service'
import { type AndroidParts, createAndroidParts } from './android-store'
import type { ConnectedAccounts } from './connected-accounts'
import { ASKED_STORES, storeHealthRoutes } from './health-routes'
import { createIosClients, type IosClients } from './ios-api'
import { createPaymentAccess, type PaymentAccess } from './payment-store'
import { storeSection } from './project-file/section'

// Made when a store is first asked: most deployments never ask some of them anything.
declare module '../../base/state' {
  interface SliceState {
    iosStore: IosStore
    iosClients: () => IosClients
    androidParts: () => AndroidParts
    paymentAccess: () => PaymentAccess
    connectedAccounts: ConnectedAccounts
  }
}

const CIRCUIT_VALUES: Record<CircuitStatus, number> = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 }

const metrics = ({ registry, circuits, clock }: MetricParts) => ({
  storeCircuit: new Gauge({
    name: 'svc_store_circuit_state',
    help: 'Circuit to each store: 0 closed, 1 half open, 2 open (calls are kept back)',
    labelNames: ['store'] as const,
    registers: [registry],
    collect() {
      for (const store of ASKED_STORES)
        this.set({ store }, CIRCUIT_VALUES[circuits.healthOf(store, clock.now()).circuit])
    },
  }),
})

// The configuration was checked when it was read; a file without certificates did not come this far.
function extraRoots({ iosExtraRoots }: Config): Root[] {
  const parsed = iosExtraRoots === null ? null : parseRoots(iosExtraRoots)
  return parsed?.ok ? parsed.roots : []
}

export const connections = slice({
  name: 'connections',
  projectFile: [storeSection],
  state: {
    iosStore: ({ config, storage }) =>
      new IosStore({
        extraRoots: extraRoots(config),
        loadSimulatorRoot: async () => (config.isSimulatorOn ? loadSimulatorRoot(storage) : null),
      }),
    iosClients: (ctx) => lazily(() => createIosClients(ctx)),
    androidParts: (ctx) => lazily(() => createAndroidParts(ctx)),
    paymentAccess: (ctx) => lazily(() => createPaymentAccess(ctx)),
    connectedAccounts: () => ({ register: null }),
  },
  metrics,
  publicRoutes: storeHealthRoutes,
})
