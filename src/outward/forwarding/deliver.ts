import type { Context, Tx } from '../../base/context'
import { findForwardRow, updateForward } from '../../projects/connections/forwards/forwards'
import type { AttemptOutcome, DeliveryKind, GuardedCall } from '../deliveries/kinds'
import type { AttemptResult, OpenDelivery } from '../deliveries/model'
import { WEBHOOK_WAITS } from '../deliveries/schedule'
import { countByNotification, endDeliveries, findBody } from './queries'
import { openForward } from './targets'

/** Sends notifications of the stores on, as they came. */
export const forwardKind: DeliveryKind = {
  kind: 'FORWARD',
  waitsMs: WEBHOOK_WAITS,
  attempt,
  // A forward is never switched off: its store continues to send, and the next notification is tried again.
  disable: (tx, { targetId, projectId }) => openForward(tx, { id: targetId, projectId }),
  onOutcome: saveOutcome,
  async onEnd(tx, deliveryIds) {
    for (const [storeEventId, ended] of await countByNotification(tx, deliveryIds))
      await endDeliveries(tx, storeEventId, ended)
  },
  async bodyOf(ctx, { eventId }) {
    const row = eventId === null ? null : await findBody(ctx, eventId)
    return row && Buffer.from(row.body, 'base64').toString('utf8')
  },
}

async function attempt(ctx: Context, delivery: OpenDelivery, call: GuardedCall): Promise<AttemptResult> {
  const forward = await findForwardRow(ctx, delivery.targetId)
  if (!forward || !(await ctx.state.projects.find(delivery.projectId))) return { kind: 'dead', reason: 'deleted' }
  const row = delivery.eventId === null ? null : await findBody(ctx, delivery.eventId)
  if (!row) return { kind: 'dead', reason: 'body_gone' }
  // The store's own headers are not passed on: some of them are credentials for this deployment.
  const type = row.contentType === null ? {} : { 'content-type': row.contentType }
  const headers = { ...type, 'x-svc-forwarded': '1', 'user-agent': 'svc-webhooks/1' }
  const answer = await call(forward.url, { method: 'POST', headers, body: Buffer.from(row.body, 'base64') })
  // Nobody is shown the text of the answer, and it may repeat the notification, which is kept only until it arrived.
  return answer.kind === 'answer' ? { ...answer, body: new Uint8Array() } : answer
}

async function saveOutcome(tx: Tx, { targetId, statusCode, at }: AttemptOutcome): Promise<void> {
  await updateForward(tx, targetId, { lastStatus: statusCode, lastAt: at })
}
