import type { Context } from '../../base/context'
import { listWorlds } from './queries'
import { deliverBilling } from './scene'

/** Lets happen and delivers what came due at the test stores of billed projects, also what came due while no server ran. */
export async function deliverAllBilling(ctx: Context): Promise<void> {
  if (ctx.config.cloud?.provider !== 'TEST_STORE') return
  for (const projectId of await listWorlds(ctx)) await deliverBilling(ctx, projectId)
}
