import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../base/retention/rule'
import { VISITOR_LIFE_MS } from '../../funnels/sessions/service'
import { fillHoldoutBuckets } from '../../people/subscribers/holdout-buckets'
import { deleteVisitorAssignments } from './queries'
import { sweepSchedules } from './schedule'
import { OF_VISITOR } from './tables'
import { KEPT_MS, pruneTracked } from './track'

const sweep = defineJob({
  name: 'experiments.sweep-schedules',
  payload: Type.Object({}, { additionalProperties: false }),
  backoff: { baseMs: 5 * SECOND, capMs: MINUTE },
  handle: sweepSchedules,
})

/** Every 15 seconds: starts and stops the experiments whose time has come. */
const scheduleCron = [cronLine({ name: 'experiment-schedules', pattern: '*/15 * * * * *', job: sweep })]

const nothing = Type.Object({}, { additionalProperties: false })

const fillBuckets = defineJob({
  name: 'experiments.fill-buckets',
  payload: nothing,
  handle: (ctx, _payload, isStopping) => fillHoldoutBuckets(ctx, isStopping),
})

export const experimentCron = [
  ...scheduleCron,
  /** Every ten minutes: completes rows of an older release, and rows that were written by hand. */
  cronLine({ name: 'fill-holdout-buckets', pattern: '*/10 * * * *', job: fillBuckets }),
]

export const trackedRetention: RetentionRule = {
  name: 'events tracked for experiments',
  tables: ['trackedEvents'],
  keptMs: KEPT_MS,
  sweep: pruneTracked,
  oldest: (handle) => oldestOf(handle, handle.tables.trackedEvents, handle.tables.trackedEvents.recordedAt, KEPT_MS),
}

/** A visitor who claims is a subscriber from then on; these have not. */
export const visitorRetention: RetentionRule = {
  name: 'exposures of visitors of the web',
  tables: ['assignments'],
  keptMs: VISITOR_LIFE_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, (tx, limit) =>
      deleteVisitorAssignments(tx, tx.clock.now() - VISITOR_LIFE_MS, limit),
    ),
  oldest: (handle) => {
    const { assignments: a } = handle.tables
    return oldestOf(handle, a, a.assignedAt, VISITOR_LIFE_MS, OF_VISITOR)
  },
}
