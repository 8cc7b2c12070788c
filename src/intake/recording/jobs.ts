import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { sweepPurchases } from './sweep'

const sweep = defineJob({
  name: 'purchases.sweep',
  payload: Type.Object({}, { additionalProperties: false }),
  backoff: { baseMs: 5 * SECOND, capMs: MINUTE },
  handle: sweepPurchases,
})

/** Every minute: records the events of purchases whose status has changed by time alone, such as expirations. */
export const recordingCron = [cronLine({ name: 'purchase-sweep', pattern: '* * * * *', job: sweep })]
