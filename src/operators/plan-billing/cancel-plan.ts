import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import type { ProjectActor } from '../../projects/project/edit'
import { requireProvider } from './choose-provider'
import { readBilling } from './read-billing'
import { audit, recordAnswer, standingOf } from './record'
import { isGone, recordEnds } from './replace-customer'

/** Ends the plan with its period, or calls that off. */
export async function setCancelled(ctx: Context, by: ProjectActor, isCancelled: boolean) {
  const { projectId } = by
  const provider = requireProvider(ctx, projectId)
  const { state, subscriptionId, customerId, cancelAt } = await standingOf(ctx, projectId)
  if (state === 'FREE' || subscriptionId === null) throw new AppError('BILLING_NOTHING_TO_CANCEL')
  if ((cancelAt !== null) === isCancelled) throw nothingToCancel(cancelAt)
  const report = await provider.setCancelled(subscriptionId, isCancelled).catch(async (error: unknown) => {
    if (customerId === null || !(await isGone(provider, customerId, error))) throw error
    await recordEnds(ctx, provider, projectId, customerId)
    throw new AppError('BILLING_NOTHING_TO_CANCEL')
  })
  if (report) await recordAnswer(ctx, projectId, [report])
  await audit(ctx, by, isCancelled ? 'billing.cancel' : 'billing.cancel-undo', {})
  return readBilling(ctx, projectId)
}

function nothingToCancel(cancelAt: number | null): AppError {
  const message =
    cancelAt === null ? 'The plan is not cancelled' : `The plan is cancelled already, and ends at ${toIso(cancelAt)}`
  return new AppError('BILLING_NOTHING_TO_CANCEL', undefined, { message })
}
