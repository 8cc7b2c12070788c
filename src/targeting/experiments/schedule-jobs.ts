import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { sweepSchedules } from './schedule'

const sweep = defineJob({
  name: 'experiments.sweep-schedules',
  payload: Type.Object({}, { additionalProperties: false }),
  backoff: { baseMs: 5 * SECOND, capMs: MINUTE },
  handle: sweepSchedules,
})

/** Every 15 seconds: starts and stops the experiments whose time has come. */
export const scheduleCron = [cronLine({ name: 'experiment-schedules', pattern: '*/15 * * * * *', job: sweep })]
