import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CircuitStatus } from '../lib/circuit'
import type { CircuitBoard } from '../lib/circuits'
import { RequestDurations } from './request-durations'

/** From seconds, as it should be, to a store that tried again for days. */
const LAG_BUCKETS_SECONDS = [0.5, 1, 2, 5, 15, 60, 300, 900, 3600, 21_600, 86_400, 259_200]

/** Every store that can be asked, whether anybody has asked it yet or not. */
export const ASKED_STORES = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const

const CIRCUIT_VALUES: Record<CircuitStatus, number> = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 }

/** What the internal port tells Prometheus (wire 7.18). */
export class Metrics {
  readonly registry = new Registry()

  readonly requests = new RequestDurations()

  readonly ledgerConflicts = new Counter({
    name: 'svc_ledger_conflicts_total',
    help: 'Ledger transactions refused for balance or for a reused idempotency key',
    registers: [this.registry],
  })

  readonly outboxDepth = new Gauge({
    name: 'svc_outbox_depth',
    help: 'Jobs waiting or running',
    labelNames: ['state'] as const,
    registers: [this.registry],
  })

  readonly storeEventLag = new Histogram({
    name: 'svc_store_event_lag_seconds',
    help: 'From what a store tells of to the end of its processing',
    labelNames: ['store'] as const,
    buckets: LAG_BUCKETS_SECONDS,
    registers: [this.registry],
  })

  readonly storeCircuit = new Gauge({
    name: 'svc_store_circuit_state',
    help: 'Circuit to each store: 0 closed, 1 half open, 2 open (calls are kept back)',
    labelNames: ['store'] as const,
    registers: [this.registry],
  })

  readonly reconcileChecks = new Counter({
    name: 'svc_reconcile_checks_total',
    help: 'Purchases that the reconciler asked a store about, by what came of it',
    labelNames: ['store', 'outcome'] as const,
    registers: [this.registry],
  })

  readonly reconcileRepairs = new Counter({
    name: 'svc_reconcile_repairs_total',
    help: 'Purchases that differed from what the store says, and were put right',
    labelNames: ['store'] as const,
    registers: [this.registry],
  })

  readonly storeCatchups = new Counter({
    name: 'svc_store_catchups_total',
    help: 'Notifications that a store had told and that had not come here, taken in from its history',
    labelNames: ['store'] as const,
    registers: [this.registry],
  })

  readonly reconcileBraked = new Gauge({
    name: 'svc_reconcile_braked',
    help: 'Projects of which too many purchases differed, so that the last run of this process stopped there',
    labelNames: ['store'] as const,
    registers: [this.registry],
  })

  readonly experimentExposures = new Counter({
    name: 'svc_experiment_exposures_total',
    help: 'First exposures of subscribers to experiments',
    registers: [this.registry],
  })

  readonly experimentConversions = new Counter({
    name: 'svc_experiment_conversions_total',
    help: 'First conversions of exposed subscribers by an event that a client tracked',
    registers: [this.registry],
  })

  readonly openStreams = new Gauge({
    name: 'svc_sse_clients',
    help: 'Configuration streams that are open',
    registers: [this.registry],
  })

  readonly droppedStreams = new Counter({
    name: 'svc_config_streams_dropped_total',
    help: 'Configuration streams that were cut because their client read too slowly',
    registers: [this.registry],
  })

  constructor(
    private readonly circuits: CircuitBoard,
    private readonly now: () => number,
  ) {}

  async text(): Promise<string> {
    for (const store of ASKED_STORES)
      this.storeCircuit.set({ store }, CIRCUIT_VALUES[this.circuits.healthOf(store, this.now()).circuit])
    return `${this.requests.text()}\n\n${await this.registry.metrics()}`
  }
}
