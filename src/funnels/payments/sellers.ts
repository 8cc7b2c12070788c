import type { Context } from '../../base/context'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import type { Seller } from './seller'
import { stripeSeller } from './seller-stripe'
import { testSeller } from './seller-test'

/**
 * Who sells in the funnels of a project: its account, else the test store where that is switched on; null where nothing
 * can be sold. An account sells only with the key that pages use.
 */
export async function sellerOf(ctx: Context, project: ProjectState): Promise<Seller | null> {
  const { payment } = project
  if (!payment) {
    const sales = ctx.state.testStores.sales(project.id)
    return sales && testSeller(sales)
  }
  const { accountId, mode } = payment
  const publishableKey = payment.publishableKey ?? ctx.config.paymentConnect[mode]?.publishableKey ?? null
  const client = await paymentClient(ctx, project)
  if (!client || publishableKey === null) return null
  const parts = { client, publishableKey, accountId, caches: ctx.state.funnelProvider, now: () => ctx.clock.now() }
  return stripeSeller({ ...parts, projectId: project.id })
}
