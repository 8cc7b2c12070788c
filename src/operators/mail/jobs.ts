import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { DAY } from '../../base/lib/clock'
import { deleteOldMails } from './queries'

const RETENTION_MS = 90 * DAY

const sweep = defineJob({
  name: 'mail.retention',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx) => ctx.write((tx) => deleteOldMails(tx, tx.clock.now() - RETENTION_MS)),
})

/** Every hour: forgets mails of more than 90 days ago. */
export const mailCron = [cronLine({ name: 'mail-retention', pattern: '41 * * * *', job: sweep })]
