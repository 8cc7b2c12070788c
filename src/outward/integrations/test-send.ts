import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { conflict } from '../../projects/project/edit'
import { queueClaimed } from '../deliveries/claim'
import { getDelivery } from '../delivery-log/list'
import { TEST_TYPE } from './event-facts'
import { findIntegration } from './queries'

/**
 * Sends a test event with made-up data and no money, in one attempt, and returns its delivery after the attempt. 404 for
 * an unknown connection, 409 `CONFLICT` for one that is switched off.
 */
export async function sendTest(ctx: Context, projectId: string, id: string) {
  const claimed = await ctx.write(async (tx) => {
    const row = await findIntegration(tx, projectId, id)
    if (!row) throw notFound('integration', id)
    if (!row.isEnabled) throw conflict('This connection is switched off; switch it on before you test it')
    const draft = { kind: 'INTEGRATION' as const, projectId, targetId: id, type: TEST_TYPE, isTest: true }
    return queueClaimed(tx, draft)
  })
  await ctx.state.dispatcher.attemptNow(claimed)
  return (await getDelivery(ctx, projectId, 'INTEGRATION', claimed.row.id)).row
}
