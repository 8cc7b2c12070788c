import type { Tx } from '../../base/context'
import { balancesByCode } from '../../people/currencies/service'
import { causeOf } from '../../people/events/model'
import { recordEvents, recordProjectEvent } from '../../people/events/service'
import { findSubscriber, lockLive } from '../../people/subscribers/service'
import { type SessionRow, saveView } from './queries'

export type SessionEvent = 'funnel.session.started' | 'funnel.session.advanced' | 'funnel.session.completed'

/** Records what a visitor did: of the project, and of the buyer once there is one (wire 5.9). */
export async function recordSessionEvent(
  tx: Tx,
  type: SessionEvent,
  session: Pick<SessionRow, 'id' | 'projectId' | 'funnelId' | 'subscriberId'>,
  pageId: string | null,
): Promise<void> {
  const { id, projectId, funnelId, subscriberId } = session
  const cause = causeOf('FUNNEL', id)
  const data = { sessionId: id, funnelId, pageId }
  const found = subscriberId === null ? null : await findSubscriber(tx, projectId, subscriberId)
  if (!found) return recordProjectEvent(tx, projectId, cause, { type, data })
  const subscriber = await lockLive(tx, found)
  const project = await tx.state.projects.get(projectId)
  const image = { access: subscriber.toldAccess, balances: await balancesByCode(tx, project, subscriber.id) }
  const subject = { id: subscriber.id, projectId, appUserId: subscriber.appUserId }
  const draft = { type, occurredAt: tx.clock.now(), environment: 'PRODUCTION' as const, data }
  await recordEvents(tx, { subject, cause, before: image, after: image }, [draft])
}

/** A page is shown after another one: it counts as seen, and the event records it. */
export async function recordReached(tx: Tx, session: SessionRow, pageId: string): Promise<void> {
  const { id: sessionId, projectId } = session
  await saveView(tx, { sessionId, pageId, projectId, viewedAt: tx.clock.now() })
  await recordSessionEvent(tx, 'funnel.session.advanced', session, pageId)
}
