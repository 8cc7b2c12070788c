import { Type } from '@sinclair/typebox'
import { enqueue } from '../../base/jobs/queue'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { listBilledProjects } from '../../projects/billing/account-queries'
import { careFor } from './care'

/** Does what is due of the billing of a project: see `careFor`. */
export const careJob = defineJob({
  name: 'billing.care',
  payload: Type.Object({ projectId: Type.String({ maxLength: 64 }) }, { additionalProperties: false }),
  handle: (ctx, { projectId }) => careFor(ctx, projectId),
})

/** One job for each project, so that a project whose calls fail keeps none of the others waiting. */
const careAllJob = defineJob({
  name: 'billing.care-all',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: async (ctx) => {
    if (!ctx.config.cloud) return
    for (const projectId of await listBilledProjects(ctx))
      await ctx.write((tx) => enqueue(tx, careJob, { projectId }, { dedupeKey: `billing:${projectId}` }))
  },
})

/** Hourly. */
export const careCron = [cronLine({ name: 'billing-care', pattern: '37 * * * *', job: careAllJob })]
