import { Counter } from 'prom-client'
import type { MetricParts } from '../../base/metrics/metrics'
import { slice } from '../../base/slice'
import { playTimeOf, telemetryRefusal } from './hooks'
import { eraseTelemetry } from './personal-data'
import { exportTelemetry } from './personal-export'
import { telemetryRetention } from './retention'
import { telemetryRoutes } from './routes'
import { telemetryTables } from './tables'
import { telemetryUsage } from './usage'

const metrics = ({ registry }: MetricParts) => ({
  sessionEvents: new Counter({
    name: 'svc_session_events_total',
    help: 'Session events that apps have sent, by what became of them: saved, repeated, stale or dropped',
    labelNames: ['outcome'] as const,
    registers: [registry],
  }),
  clientEvents: new Counter({
    name: 'svc_client_events_total',
    help: 'Events of POST /v1/events, by what became of them: saved, repeated or dropped',
    labelNames: ['outcome'] as const,
    registers: [registry],
  }),
})

type Made = ReturnType<typeof metrics>

declare module '../../base/metrics/metrics' {
  interface Metrics extends Made {}
}

/** What apps report of their use: sessions, and events of their own. */
export const telemetry = slice({
  name: 'telemetry',
  tags: [{ name: 'Telemetry', description: 'Sessions and events that apps report.' }],
  tables: telemetryTables,
  cachedRows: {
    sessionPacks: 'NOBODY',
    sessionProjects: 'NOBODY',
    sessionSubjects: 'NOBODY',
    clientEvents: 'NOBODY',
  },
  personalData: {
    sessionPacks: 'ERASED',
    sessionProjects: 'NOTHING',
    sessionSubjects: 'ERASED',
    clientEvents: 'ERASED',
  },
  exportedRows: { sessionPacks: 'sessions.jsonl', sessionSubjects: 'subscriber.json', clientEvents: 'telemetry.jsonl' },
  metrics,
  routes: telemetryRoutes,
  usageSources: [telemetryUsage],
  retention: [telemetryRetention],
  translatedRefusals: telemetryRefusal,
  playTime: playTimeOf,
  onErase: eraseTelemetry,
  onExport: exportTelemetry,
})
