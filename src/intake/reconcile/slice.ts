import { Counter, Gauge } from 'prom-client'
import type { MetricParts } from '../../base/metrics/metrics'
import { slice } from '../../base/slice'
import { reconcileCommand } from './command'
import { reconcileCron } from './jobs'
import { syncOperatorRoutes } from './operator-routes'
import { syncJob } from './sync'

const metrics = ({ registry }: MetricParts) => ({
  reconcileChecks: new Counter({
    name: 'svc_reconcile_checks_total',
    help: 'Purchases that the reconciler asked a store about, by what came of it',
    labelNames: ['store', 'outcome'] as const,
    registers: [registry],
  }),
  reconcileRepairs: new Counter({
    name: 'svc_reconcile_repairs_total',
    help: 'Purchases that differed from what the store says, and were put right',
    labelNames: ['store'] as const,
    registers: [registry],
  }),
  reconcileOverLimit: new Gauge({
    name: 'svc_reconcile_braked',
    help: 'Projects of which too many purchases differed, so that the last run of this process stopped there',
    labelNames: ['store'] as const,
    registers: [registry],
  }),
})

type Made = ReturnType<typeof metrics>

declare module '../../base/metrics/metrics' {
  interface Metrics extends Made {}
}

export const reconciler = slice({
  name: 'reconcile',
  operatorRoutes: syncOperatorRoutes,
  metrics,
  jobs: [syncJob],
  cron: reconcileCron,
  commands: [reconcileCommand],
})
