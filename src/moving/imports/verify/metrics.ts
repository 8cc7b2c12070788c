import { Counter } from 'prom-client'
import type { MetricParts } from '../../../base/metrics/metrics'

export const verifyMetrics = ({ registry }: MetricParts) => ({
  importVerifications: new Counter({
    name: 'svc_import_verifications_total',
    help: 'Proofs of imported purchases that were settled, by store and by what came of it',
    labelNames: ['store', 'outcome'] as const,
    registers: [registry],
  }),
})

type Made = ReturnType<typeof verifyMetrics>

declare module '../../../base/metrics/metrics' {
  interface Metrics extends Made {}
}
