import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { causeOf } from '../../people/events/model'
import { listFormerKeyedProjects } from '../../people/purchases/join-queries'
import { listUnsearched } from './charge-queries'
import type { Joined } from './join'
import { repairProject } from './repair'

const repairAll = defineJob({
  name: 'purchases.repair',
  payload: Type.Object({}, { additionalProperties: false }),
  async handle(ctx, _payload, isStopping) {
    const cause = causeOf('SWEEP', null, 'IOS_STORE', 'repair')
    for (const projectId of new Set([...(await listFormerKeyedProjects(ctx)), ...(await listUnsearched(ctx))]))
      if (!isStopping())
        await repairProject(ctx, {
          projectId,
          cause,
          isDryRun: false,
          isAll: false,
          isStopping,
          onJoined: (one) => logLost(ctx, one),
        })
  },
})

/** Names the people who lost access by it. */
function logLost(ctx: Context, { purchaseId, lost }: Joined): void {
  for (const { subscriberId, access } of lost)
    ctx.log.warn('somebody lost access, because another person keeps the purchase', {
      subscriberId,
      purchaseId,
      access: access.join(', '),
    })
}

/**
 * Every five minutes: rows and charges of a release that did not know copies yet. After one run only those rows are left
 * whose product the catalogue lacks.
 */
export const repairCron = [cronLine({ name: 'repair-purchases', pattern: '2-59/5 * * * *', job: repairAll })]
