import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { fillHoldoutBuckets } from '../../people/subscribers/holdout-buckets'
import { scheduleCron } from './schedule-jobs'
import { pruneTracked } from './track'

const nothing = Type.Object({}, { additionalProperties: false })

const prune = defineJob({
  name: 'experiments.prune',
  payload: nothing,
  handle: (ctx, _payload, isStopping) => pruneTracked(ctx, isStopping),
})

const fillBuckets = defineJob({
  name: 'experiments.fill-buckets',
  payload: nothing,
  handle: (ctx, _payload, isStopping) => fillHoldoutBuckets(ctx, isStopping),
})

export const experimentCron = [
  ...scheduleCron,
  /** Hourly: deletes tracked events whose retention has ended. */
  cronLine({ name: 'prune-tracked-events', pattern: '37 * * * *', job: prune }),
  /** Every ten minutes: completes rows of an older release, and rows that were written by hand. */
  cronLine({ name: 'fill-holdout-buckets', pattern: '*/10 * * * *', job: fillBuckets }),
]
