import { Counter } from 'prom-client'
import type { MetricParts } from '../../base/metrics/metrics'
import { slice } from '../../base/slice'
import { storeEventsCommand } from './command'
import { notificationCron } from './jobs'
import { storeEventOperatorRoutes } from './operator-routes'
import { exportNotifications } from './personal-export'

const metrics = ({ registry }: MetricParts) => ({
  storeCatchups: new Counter({
    name: 'svc_store_catchups_total',
    help: 'Notifications of a store that had not arrived and were processed from its history',
    labelNames: ['store'] as const,
    registers: [registry],
  }),
})

type Made = ReturnType<typeof metrics>

declare module '../../base/metrics/metrics' {
  interface Metrics extends Made {}
}

export const catchUp = slice({
  name: 'catch-up',
  operatorRoutes: storeEventOperatorRoutes,
  metrics,
  cron: notificationCron,
  commands: [storeEventsCommand],
  onExport: exportNotifications,
})
