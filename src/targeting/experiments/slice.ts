import { Counter } from 'prom-client'
import type { MetricParts } from '../../base/metrics/metrics'
import { slice } from '../../base/slice'
import { experimentAudienceUsers } from './audience-users'
import { experimentCron } from './jobs'
import { experimentKeyHolder } from './key-holder'
import { assignmentsMerge } from './on-merge'
import { experimentSection } from './project-file/section'
import { experimentRoutes } from './routes'
import { scheduleCron } from './schedule-jobs'
import { experimentTables } from './tables'

const metrics = ({ registry }: MetricParts) => ({
  experimentExposures: new Counter({
    name: 'svc_experiment_exposures_total',
    help: 'First exposures of subscribers to experiments',
    registers: [registry],
  }),
  experimentConversions: new Counter({
    name: 'svc_experiment_conversions_total',
    help: 'First conversions of exposed subscribers by an event that a client tracked',
    registers: [registry],
  }),
})

type Made = ReturnType<typeof metrics>

declare module '../../base/metrics/metrics' {
  interface Metrics extends Made {}
}

export const experiments = slice({
  name: 'experiments',
  browserHeaders: { exposed: ['X-Svc-Experiment'] },
  projectFile: [experimentSection],
  tags: [{ name: 'Experiments', description: 'Conversions, exposures and results.' }],
  tables: experimentTables,
  cachedRows: {
    assignments: { columns: ['subscriber_id'], idPrefixes: ['sub_'] },
    experiments: 'NOBODY',
    trackedEvents: 'NOBODY',
    experimentPauses: 'NOBODY',
  },
  metrics,
  routes: experimentRoutes,
  audienceUsers: experimentAudienceUsers,
  keyHolder: experimentKeyHolder,
  onMerge: assignmentsMerge,
  cron: [...scheduleCron, ...experimentCron],
})
