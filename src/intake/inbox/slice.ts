import { Histogram } from 'prom-client'
import type { MetricParts } from '../../base/metrics/metrics'
import { slice } from '../../base/slice'
import { countWebhookRefusal } from './acknowledge'
import { inboxExamination } from './doctor'
import { eraseNotifications, storeEventLag } from './hooks'
import { findLastArrival } from './queries'
import { inboxRetention } from './retention'
import { notificationTables } from './tables'
import { WorkSlots } from './work-slots'

/** From seconds, the normal case, to days, when a store has sent a notification again and again. */
const LAG_BUCKETS_SECONDS = [0.5, 1, 2, 5, 15, 60, 300, 900, 3600, 21_600, 86_400, 259_200]

const metrics = ({ registry }: MetricParts) => ({
  storeEventLag: new Histogram({
    name: 'svc_store_event_lag_seconds',
    help: 'From what a store tells of to the end of its processing',
    labelNames: ['store'] as const,
    buckets: LAG_BUCKETS_SECONDS,
    registers: [registry],
  }),
})

type Made = ReturnType<typeof metrics>

declare module '../../base/state' {
  interface SliceState {
    webhookSlots: WorkSlots
  }
}

declare module '../../base/metrics/metrics' {
  interface Metrics extends Made {}
}

export const inbox = slice({
  name: 'inbox',
  tables: notificationTables,
  cachedRows: { storeEvents: 'NOBODY', storeCatchups: 'NOBODY', storeRefusals: 'NOBODY' },
  personalData: { storeEvents: 'REDUCED', storeCatchups: 'NOTHING', storeRefusals: 'NOTHING' },
  exportedRows: { storeEvents: 'store-messages.jsonl' },
  onErase: eraseNotifications,
  state: { webhookSlots: () => new WorkSlots() },
  metrics,
  platformFigures: storeEventLag,
  doctor: inboxExamination,
  retention: [inboxRetention],
  lastArrival: findLastArrival,
  countedRefusals: countWebhookRefusal,
  unlimitedPaths: ['/webhooks/'], // Notifications have a limit of their own: for refused ones (wire 6).
})
