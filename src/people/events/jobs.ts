import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { pruneEvents } from './retention'

const prune = defineJob({
  name: 'events.prune',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => pruneEvents(ctx, isStopping),
})

/** Hourly: deletes the events that are older than their project's retention. */
export const eventCron = [cronLine({ name: 'prune-events', pattern: '47 * * * *', job: prune })]
