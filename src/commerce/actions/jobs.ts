import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { sweepActions } from './sweep'

const sweep = defineJob({
  name: 'actions.sweep',
  payload: Type.Object({}, { additionalProperties: false }),
  backoff: { baseMs: 5 * SECOND, capMs: MINUTE },
  handle: sweepActions,
})

/** Every 15 seconds: carries out the cancellations that are due. */
export const actionCron = [cronLine({ name: 'action-sweep', pattern: '*/15 * * * * *', job: sweep })]
