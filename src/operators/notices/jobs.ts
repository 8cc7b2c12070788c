import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { DAY } from '../../base/lib/clock'
import { deleteOldNotices } from './queries'

const RETENTION_MS = 90 * DAY

const sweep = defineJob({
  name: 'notices.retention',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx) => ctx.write((tx) => deleteOldNotices(tx, tx.clock.now() - RETENTION_MS)),
})

/** Every hour: forgets notices of more than 90 days ago. */
export const noticeCron = [cronLine({ name: 'notice-retention', pattern: '43 * * * *', job: sweep })]
