import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { oldestOf, type RetentionRule } from '../../base/retention/rule'
import { fillHoldoutBuckets } from '../../people/subscribers/holdout-buckets'
import { scheduleCron } from './schedule-jobs'
import { KEPT_MS, pruneTracked } from './track'

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
