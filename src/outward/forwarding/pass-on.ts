import type { Tx } from '../../base/context'
import type { PostedNotification } from '../../intake/inbox/on-notification'
import { adoptForwards, listForwardRows } from '../../projects/connections/forwards/forwards'
import type { ForwardStore } from '../../projects/connections/forwards/tables'
import { queueDeliveries } from '../deliveries/queue'
import { insertBody } from './queries'

/**
 * Queues a notification for all forwards of its store. The bytes are saved once for all of them. Nothing is read or
 * written for a store without forwards.
 */
export async function passOn(tx: Tx, notification: PostedNotification): Promise<void> {
  const { project, storeEventId, type, contentType, bytes } = notification
  if (!project.forwardedStores.has(notification.store)) return
  const store = notification.store as ForwardStore // Only such stores are in the set.
  await adoptForwards(tx, project.id, store)
  const forwards = await listForwardRows(tx, project.id, store)
  if (forwards.length === 0) return
  const body = Buffer.from(bytes).toString('base64')
  const facts = { contentType, open: forwards.length, createdAt: tx.clock.now() }
  await insertBody(tx, { storeEventId, projectId: project.id, body, ...facts })
  const draft = { kind: 'FORWARD' as const, projectId: project.id, type, eventId: storeEventId }
  await queueDeliveries(
    tx,
    forwards.map(({ id: targetId }) => ({ ...draft, targetId })),
  )
}
