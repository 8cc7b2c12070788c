import { Elysia } from 'elysia'
import { CircuitBreaker } from '../../base/lib/circuit'
import { slice } from '../../base/slice'
import type { PurchaseEnvironment } from '../../stores/observation'
import { loadCommission } from '../connections/commission-rates'
import { iosCatalog } from './catalog-ios'
import { paymentCatalog, requirePrice } from './catalog-payment'
import { credentialsRoutes } from './credentials-routes'
import { storeItems } from './import'
import { storeAppRoutes } from './ios-routes'
import { connectCallback, paymentRoutes } from './payment-routes'

declare module '../../base/state' {
  interface SliceState {
    /** For the calls with which people connect their stores. Failures there do not stop the recording of purchases. */
    storeSetup: {
      connectCircuit: CircuitBreaker
      /** For keys that are tried before they are saved. */
      iosCircuits: Record<PurchaseEnvironment, CircuitBreaker>
      paymentCircuit: CircuitBreaker
      oauthCircuit: CircuitBreaker
      lookupCircuit: CircuitBreaker
    }
  }
}

export const storeSetup = slice({
  name: 'store-setup',
  state: {
    storeSetup: () => ({
      connectCircuit: new CircuitBreaker(),
      iosCircuits: { PRODUCTION: new CircuitBreaker(), SANDBOX: new CircuitBreaker() },
      paymentCircuit: new CircuitBreaker(),
      oauthCircuit: new CircuitBreaker(),
      lookupCircuit: new CircuitBreaker(),
    }),
  },
  projectParts: { commission: ({ handle, projectId }) => loadCommission(handle, projectId) },
  operatorRoutes: (ctx) => new Elysia().use(credentialsRoutes(ctx)).use(storeAppRoutes(ctx)).use(paymentRoutes(ctx)),
  accountRoutes: connectCallback,
  storeCatalogs: [iosCatalog, paymentCatalog],
  storeCatalog: storeItems,
  checkPaymentPrice: requirePrice,
})
