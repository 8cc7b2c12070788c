import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { MINUTE, monotonicMs } from '../../base/lib/clock'
import { pruneStoreEvents } from '../inbox/retention'
import { catchUpWithStores } from './catch-up'
import { retryStoreEvents } from './retry'

const prune = defineJob({
  name: 'notifications.prune',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => pruneStoreEvents(ctx, isStopping),
})

const retry = defineJob({
  name: 'notifications.retry',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => retryStoreEvents(ctx, isStopping),
})

/** Leaves time before the next run, which takes what this one left. */
const CATCH_UP_MS = 50 * MINUTE

const catchUp = defineJob({
  name: 'notifications.catch-up',
  payload: Type.Object({}, { additionalProperties: false }),
  handle(ctx, _payload, isStopping) {
    const until = monotonicMs() + CATCH_UP_MS
    return catchUpWithStores(ctx, () => isStopping() || monotonicMs() > until)
  },
})

export const notificationCron = [
  /** Hourly: deletes what the inbox has kept long enough. */
  cronLine({ name: 'prune-store-events', pattern: '41 * * * *', job: prune }),
  /** Every minute: processes again what failed. */
  cronLine({ name: 'retry-store-events', pattern: '* * * * *', job: retry }),
  /** Hourly: takes in what the stores have told and what never came here. */
  cronLine({ name: 'catch-up', pattern: '53 * * * *', job: catchUp }),
]
