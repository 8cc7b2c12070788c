import type { Tx } from '../../base/context'
import type { EventRow } from '../../people/events/feed'
import { reopenEvents } from '../deliveries/reopen'
import { lockTargets } from '../deliveries/target-queries'
import type { BackfillRange } from './backfill-queries'
import { findIntegration, type IntegrationRow, listSentEvents } from './queries'
import { findProvider } from './registry'
import { judgeEvent } from './scope'

/** Events that one transaction turns into deliveries. */
export const PAGE = 500

/** Whether a connection gets an event, as far as its type and environment tell. */
export function isSent(row: IntegrationRow, event: Pick<EventRow, 'type' | 'environment'>): boolean {
  const provider = findProvider(row.provider)
  return provider !== null && judgeEvent(provider, row, event) === 'SEND'
}

/** Writes the deliveries of a page of events, but of those that the connection has one of. */
export async function fillPage(tx: Tx, { targetId, projectId, from }: BackfillRange, events: readonly EventRow[]) {
  const [target] = await lockTargets(tx, [targetId])
  const row = await findIntegration(tx, projectId, targetId)
  if (!target || !row) return
  const wanted = events.filter((event) => event.recordedAt >= from && isSent(row, event))
  const sent = await listSentEvents(tx, targetId, wanted)
  await reopenEvents(
    tx,
    target,
    wanted.filter(({ id }) => !sent.has(id)),
  )
}
