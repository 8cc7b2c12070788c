import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { pruneTelemetry } from './retention'

const prune = defineJob({
  name: 'telemetry.prune',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => pruneTelemetry(ctx, isStopping),
})

/** Hourly: deletes sessions and client events whose retention has ended. */
export const telemetryCron = [cronLine({ name: 'prune-telemetry', pattern: '27 * * * *', job: prune })]
