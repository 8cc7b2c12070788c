import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { conflict } from '../../projects/project/edit'
import { queueDeliveries } from '../deliveries/queue'
import { getDelivery } from '../delivery-log/list'
import { TEST_TYPE } from './event-facts'
import { findIntegration } from './queries'

/**
 * Sends a test event with made-up data and no money, in one attempt, and returns its delivery after the attempt. 404 for
 * an unknown connection, 409 `CONFLICT` for one that is switched off.
 */
export async function sendTest(ctx: Context, projectId: string, id: string) {
  const deliveryId = await ctx.write(async (tx) => {
    const row = await findIntegration(tx, projectId, id)
    if (!row) throw notFound('integration', id)
    if (!row.isEnabled) throw conflict('This connection is switched off; switch it on before you test it')
    const draft = { kind: 'INTEGRATION' as const, projectId, targetId: id, type: TEST_TYPE, isTest: true }
    return (await queueDeliveries(tx, [draft]))[0]
  })
  if (deliveryId === undefined) throw new Error('a test without a delivery')
  await ctx.state.dispatcher.attemptNow(deliveryId)
  return (await getDelivery(ctx, projectId, 'INTEGRATION', deliveryId)).row
}
