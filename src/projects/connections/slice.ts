import { lazily } from '../../base/lib/lazily'
import { slice } from '../../base/slice'
import type { IosStore } from '../../stores/ios/store'
import { type AndroidParts, createAndroidParts } from './android-store'
import type { ConnectedAccounts } from './connected-accounts'
import { connectionExamination } from './doctor'
import { loadForwardedStores } from './forwards/forwards'
import { forwardTables } from './forwards/tables'
import { circuitMetrics, storeHealthRoutes } from './health-routes'
import { createIosClients, type IosClients } from './ios-api'
import { createIosStore } from './ios-store'
import { createPaymentAccess, type PaymentAccess } from './payment-store'
import { storeSection } from './project-file/section'

// The functions create their object at the first call: most deployments never call some of the stores.
declare module '../../base/state' {
  interface SliceState {
    iosStore: IosStore
    iosClients: () => IosClients
    androidParts: () => AndroidParts
    paymentAccess: () => PaymentAccess
    connectedAccounts: ConnectedAccounts
  }
}

declare module '../project/state' {
  interface ProjectParts {
    /** The stores whose notifications are forwarded. */
    forwardedStores: ReadonlySet<string>
  }
}

export const connections = slice({
  name: 'connections',
  tables: forwardTables,
  cachedRows: { notificationForwards: 'NOBODY' },
  personalData: { notificationForwards: 'NOTHING' },
  projectParts: { forwardedStores: ({ handle, projectId }) => loadForwardedStores(handle, projectId) },
  projectFile: [storeSection],
  state: {
    iosStore: createIosStore,
    iosClients: (ctx) => lazily(() => createIosClients(ctx)),
    androidParts: (ctx) => lazily(() => createAndroidParts(ctx)),
    paymentAccess: (ctx) => lazily(() => createPaymentAccess(ctx)),
    connectedAccounts: () => ({ register: null }),
  },
  metrics: circuitMetrics,
  publicRoutes: storeHealthRoutes,
  doctor: connectionExamination,
})
