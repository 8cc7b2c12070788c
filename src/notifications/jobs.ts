import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../jobs/registry'
import { pruneStoreEvents } from './retention'
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

export const notificationCron = [
  /** Hourly: deletes what the inbox has kept long enough. */
  cronLine({ name: 'prune-store-events', pattern: '41 * * * *', job: prune }),
  /** Every minute: processes again what failed. */
  cronLine({ name: 'retry-store-events', pattern: '* * * * *', job: retry }),
]
