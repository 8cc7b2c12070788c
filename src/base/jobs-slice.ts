import { Gauge } from 'prom-client'
import { jobExamination } from './jobs/doctor'
import { jobTables } from './jobs/tables'
import type { MetricParts } from './metrics/metrics'
import { slice } from './slice'

const metrics = ({ registry }: MetricParts) => ({
  outboxDepth: new Gauge({
    name: 'svc_outbox_depth',
    help: 'Jobs waiting or running',
    labelNames: ['state'] as const,
    registers: [registry],
  }),
})

type Made = ReturnType<typeof metrics>

declare module './metrics/metrics' {
  interface Metrics extends Made {}
}

export const jobs = slice({
  name: 'jobs',
  tables: jobTables,
  cachedRows: { jobs: 'NOBODY', cronRuns: 'NOBODY' },
  metrics,
  doctor: jobExamination,
  readiness: { queue: async ({ db, tables: { jobs } }) => db.select({ id: jobs.id }).from(jobs).limit(1) },
})
