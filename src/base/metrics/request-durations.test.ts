import { expect, test } from 'bun:test'
import { Histogram, Registry } from 'prom-client'
import { RequestDurations } from './request-durations'

test('reads to the letter as the client library would write it', async () => {
  const registry = new Registry()
  const theirs = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route template and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const ours = new RequestDurations()
  expect(`${ours.text()}\n`).toBe(await registry.metrics())
  const requests: [method: string, route: string, status: number, seconds: number][] = [
    ['GET', '/v1/config', 200, 0],
    ['GET', '/v1/config', 200, 0.001],
    ['GET', '/v1/config', 200, 0.0011],
    ['GET', '/v1/config', 304, 9.99],
    ['POST', '/v1/config', 500, 10],
    ['POST', '/v1/config', 500, 11.5],
    ['GET', '/odd/"quoted"\\\n', 404, 0.2],
  ]
  for (const [method, route, status, seconds] of requests) {
    ours.observe(method, route, status, seconds)
    theirs.observe({ method, route, status: String(status) }, seconds)
  }
  expect(`${ours.text()}\n`).toBe(await registry.metrics())
})
