import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { parseExact } from '../../base/lib/int64'
import type { EventRow } from '../../people/events/feed'
import { type CauseKind, causeOf } from '../../people/events/model'
import { conflict } from '../../projects/project/edit'
import { queueClaimed } from '../deliveries/claim'
import type { OpenDelivery } from '../deliveries/model'
import { findDelivery } from '../deliveries/queue'
import { toDeliveryView } from '../delivery-log/wire'
import { lockEndpoint } from './endpoints'
import { TEST_TYPE } from './filter'

const MESSAGE = 'This is a test of your webhook endpoint. Nothing has happened.'

/**
 * Sends an event of type `webhook.test` with one attempt, and returns its delivery after the attempt. The event exists
 * only in this delivery. 404 for an unknown endpoint, 409 `CONFLICT` for one that is disabled.
 */
export async function sendTest(ctx: Context, projectId: string, endpointId: string, from: CauseKind) {
  const claimed = await ctx.write(async (tx) => {
    const endpoint = await lockEndpoint(tx, projectId, endpointId)
    if (!endpoint) throw notFound('webhook endpoint', endpointId)
    if (!endpoint.isEnabled) throw conflict('This endpoint is disabled; enable it before you test it')
    const event = testEvent(projectId, tx.ids.next('evt'), tx.clock.now(), from)
    return queueClaimed(tx, {
      kind: 'WEBHOOK',
      projectId,
      targetId: endpointId,
      type: TEST_TYPE,
      eventId: event.id,
      isTest: true,
      payload: JSON.stringify(event),
    })
  })
  await ctx.state.dispatcher.attemptNow(claimed)
  const row = await findDelivery(ctx, projectId, claimed.row.id)
  if (!row) throw notFound('delivery', claimed.row.id)
  return toDeliveryView(row)
}

const testEvent = (projectId: string, id: string, now: number, from: CauseKind): EventRow => ({
  position: 0,
  id,
  projectId,
  subscriberId: null,
  seq: null,
  type: TEST_TYPE,
  appUserId: null,
  environment: 'PRODUCTION',
  occurredAt: now,
  recordedAt: now,
  cause: causeOf(from, null),
  before: null,
  after: null,
  data: { message: MESSAGE },
})

/** The event of a test delivery, as `sendTest` saved it; null for any other delivery. */
export const savedTestEvent = ({ type, payload }: OpenDelivery): EventRow | null =>
  type === TEST_TYPE && payload !== null ? (parseExact(payload) as EventRow) : null // `sendTest` wrote it.
