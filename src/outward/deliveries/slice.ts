import { Histogram } from 'prom-client'
import { SECOND } from '../../base/lib/clock'
import type { MetricParts } from '../../base/metrics/metrics'
import { slice } from '../../base/slice'
import { Dispatcher } from './dispatcher'
import { deliveryExamination } from './doctor'
import { eraseDeliveries } from './personal-data'
import { exportDeliveries } from './personal-export'
import { deliverable, deliveryRetention } from './retention'
import { deliveryTables } from './tables'
import { oldestDue } from './target-queries'
import { endClosed } from './targets'

const metrics = ({ registry }: MetricParts) => ({
  deliveryLag: new Histogram({
    name: 'svc_webhook_delivery_lag_seconds',
    help: 'From the commit of an event to the first attempt of its delivery',
    labelNames: ['kind'] as const,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300, 3600],
    registers: [registry],
  }),
})

type Made = ReturnType<typeof metrics>

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    whd: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    dispatcher: Dispatcher
  }
}

declare module '../../base/metrics/metrics' {
  interface Metrics extends Made {}
}

/** What leaves the server by attempts: for webhooks, integrations and forwarded notifications alike. */
export const deliveries = slice({
  name: 'deliveries',
  tables: deliveryTables,
  cachedRows: { deliveries: 'NOBODY', deliveryTargets: 'NOBODY', deliveryCursors: 'NOBODY', deliveryHours: 'NOBODY' },
  personalData: {
    deliveries: 'REDUCED',
    deliveryTargets: 'NOTHING',
    deliveryCursors: 'NOTHING',
    deliveryHours: 'NOTHING',
  },
  exportedRows: { deliveries: 'deliveries.jsonl' },
  onExport: exportDeliveries,
  state: { dispatcher: (ctx) => new Dispatcher(ctx) },
  metrics,
  doctor: deliveryExamination,
  eventsInUse: deliverable,
  onErase: eraseDeliveries,
  platformFigures: async (handle, _period, now) => {
    const dueSince = await oldestDue(handle, now)
    return { webhookLagSeconds: dueSince === null ? 0 : (now - dueSince) / SECOND }
  },
  jobs: [endClosed],
  retention: [deliveryRetention],
  loops: [
    {
      name: 'deliveries',
      everyMs: SECOND,
      isRunAtStart: true,
      run: ({ state }) => state.dispatcher.tick(),
      end: ({ state }) => state.dispatcher.stop(),
    },
  ],
})
