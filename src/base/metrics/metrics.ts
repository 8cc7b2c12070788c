import { Registry } from 'prom-client'
import type { CircuitBoard } from '../lib/circuits'
import type { Clock } from '../lib/clock'
import { RequestDurations } from './request-durations'

/** What the internal port tells Prometheus (wire 7.18). Each slice declares its own metrics into this interface. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: RequestDurations
  text(): Promise<string>
}

/** What a slice makes its metrics with. */
export interface MetricParts {
  readonly registry: Registry
  readonly circuits: CircuitBoard
  readonly clock: Clock
}

/** The metrics of one slice, by the names that it declared into `Metrics`. */
export type MetricDefinitions = (parts: MetricParts) => object

/** Every metric of the process. What the slices declared into `Metrics` is what their definitions make. */
export function createMetrics(
  definitions: readonly MetricDefinitions[],
  parts: Omit<MetricParts, 'registry'>,
): Metrics {
  const registry = new Registry()
  const requests = new RequestDurations()
  const text = async () => `${requests.text()}\n\n${await registry.metrics()}`
  return Object.assign({}, ...definitions.map((define) => define({ ...parts, registry })), { registry, requests, text })
}
