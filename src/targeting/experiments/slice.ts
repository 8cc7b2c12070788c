import { Counter } from 'prom-client'
import type { MetricParts } from '../../base/metrics/metrics'
import { slice } from '../../base/slice'
import { experimentCommand } from './command'
import { experimentAudienceUsers, experimentKeyHolder, listVariantsOf, searchExperiments } from './hooks'
import { experimentCron, trackedRetention, visitorRetention } from './jobs'
import { assignmentsMerge, moveVisitor } from './on-merge'
import { experimentOperatorRoutes } from './operator-routes'
import { eraseAssignments, exportExperiments } from './personal-data'
import { experimentSection } from './project-file/section'
import { experimentRoutes } from './routes'
import { experimentTables } from './tables'
import { WaitingAssignments } from './waiting-assignments'

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

declare module '../../base/state' {
  interface SliceState {
    assignments: WaitingAssignments
  }
}

declare module '../../base/metrics/metrics' {
  interface Metrics extends Made {}
}

/** Half of the time that is promised, so that the write itself has the other half (wire 5.4). */
const ASSIGNMENT_FLUSH_MS = 500

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
  personalData: { assignments: 'ERASED', experiments: 'NOTHING', trackedEvents: 'ERASED', experimentPauses: 'NOTHING' },
  exportedRows: { assignments: 'experiments.jsonl', trackedEvents: 'experiments.jsonl' },
  onExport: exportExperiments,
  state: {
    assignments: ({ write, log, state }) =>
      new WaitingAssignments(write, log, undefined, (subscriberId) => state.responseCache.forget(subscriberId)),
  },
  metrics,
  routes: experimentRoutes,
  operatorRoutes: experimentOperatorRoutes,
  audienceUsers: experimentAudienceUsers,
  searchObjects: searchExperiments,
  listHeldVariants: listVariantsOf,
  keyHolder: experimentKeyHolder,
  onMerge: assignmentsMerge,
  onFunnelClaim: moveVisitor,
  onErase: eraseAssignments,
  loops: [
    {
      name: 'assignments',
      everyMs: ASSIGNMENT_FLUSH_MS,
      run: ({ state }) => state.assignments.flush(),
      end: ({ state }) => state.assignments.finish(),
    },
  ],
  retention: [trackedRetention, visitorRetention],
  cron: experimentCron,
  commands: [experimentCommand],
})
