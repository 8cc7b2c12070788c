import { Counter, Gauge, Histogram, Registry } from 'prom-client'

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What the internal port tells Prometheus (wire 7.18). */
export class Metrics {
  readonly registry = new Registry()

  readonly requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route template and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS_SECONDS,
    registers: [this.registry],
  })

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

  text(): Promise<string> {
    return this.registry.metrics()
  }
}
