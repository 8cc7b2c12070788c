import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../jobs/registry'
import { pruneStoreEvents } from './retention'

const prune = defineJob({
  name: 'notifications.prune',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => pruneStoreEvents(ctx, isStopping),
})

/** Hourly: deletes what the inbox has kept long enough. */
export const notificationCron = [cronLine({ name: 'prune-store-events', pattern: '41 * * * *', job: prune })]
