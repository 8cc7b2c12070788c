import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { deleteExpired } from './queries'

const pruneJob = defineJob({
  name: 'accounts.prune',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx) => ctx.write((tx) => deleteExpired(tx, tx.clock.now())),
})

export const accountCron = [cronLine({ name: 'accounts.prune', pattern: '23 * * * *', job: pruneJob })]
