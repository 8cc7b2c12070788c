import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { careFor } from '../../operators/plan-billing/care'
import { changeScene, deliverBilling } from './scene'

/**
 * Lets time pass at the test store, a day at a time: what comes due happens, is delivered, and has its mails written, as
 * it would day by day. Returns the types of the events.
 */
export async function advanceBilling(ctx: Context, projectId: string, ms: number): Promise<string[]> {
  const delivered: string[] = []
  for (let left = ms; left > 0; left -= DAY) {
    await changeScene(ctx, projectId, () => undefined, Math.min(left, DAY))
    delivered.push(...(await deliverBilling(ctx, projectId)))
    await careFor(ctx, projectId)
  }
  return delivered
}
