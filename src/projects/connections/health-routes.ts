import { Elysia } from 'elysia'
import { Gauge } from 'prom-client'
import type { Context } from '../../base/context'
import type { CircuitStatus } from '../../base/lib/circuit'
import { toIsoOrNull } from '../../base/lib/time'
import type { MetricParts } from '../../base/metrics/metrics'

/** All stores that this process can call, whether it has called them yet or not. */
export const STORES_WITH_HEALTH = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const

/** The health of the stores (wire 7.18). */
export const storeHealthRoutes = (ctx: Context) =>
  new Elysia().get('/health/stores', () => ({ stores: STORES_WITH_HEALTH.map((store) => storeHealth(ctx, store)) }), {
    detail: { hide: true },
  })

/** What this process has recorded about a store; no request is sent to the store. */
function storeHealth({ circuits, clock }: Context, store: string) {
  const { circuit, lastOkAt } = circuits.healthOf(store, clock.now())
  return { store, circuit, lastOkAt: toIsoOrNull(lastOkAt) }
}

const CIRCUIT_VALUES: Record<CircuitStatus, number> = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 }

export const circuitMetrics = ({ registry, circuits, clock }: MetricParts) => ({
  storeCircuit: new Gauge({
    name: 'svc_store_circuit_state',
    help: 'Circuit to each store: 0 closed, 1 half open, 2 open (calls are kept back)',
    labelNames: ['store'] as const,
    registers: [registry],
    collect() {
      for (const store of STORES_WITH_HEALTH)
        this.set({ store }, CIRCUIT_VALUES[circuits.healthOf(store, clock.now()).circuit])
    },
  }),
})
