import { Gauge } from 'prom-client'
import type { CircuitStatus } from '../../base/lib/circuit'
import type { MetricParts } from '../../base/metrics/metrics'
import { STORES_WITH_HEALTH } from './health-routes'

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
