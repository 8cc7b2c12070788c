import { Registry } from 'prom-client'
import type { CircuitBoard } from '../lib/circuits'
import type { Clock } from '../lib/clock'
import { RequestDurations } from './request-durations'

/** What the internal port serves to Prometheus (wire 7.18). Each slice adds its own metrics to this interface. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: RequestDurations
  text(): Promise<string>
}

/** The objects with which a slice creates its metrics. */
export interface MetricParts {
  readonly registry: Registry
  readonly circuits: CircuitBoard
  readonly clock: Clock
}

/** The metrics of one slice, under the names that it has added to `Metrics`. */
export type MetricDefinitions = (parts: MetricParts) => object

/** All metrics of the process. Each slice declares in `Metrics` exactly what its definitions create. */
export function createMetrics(
  definitions: readonly MetricDefinitions[],
  parts: Omit<MetricParts, 'registry'>,
): Metrics {
  const registry = new Registry()
  const requests = new RequestDurations()
  const text = async () => `${requests.text()}\n\n${await registry.metrics()}`
  return Object.assign({}, ...definitions.map((define) => define({ ...parts, registry })), { registry, requests, text })
}
