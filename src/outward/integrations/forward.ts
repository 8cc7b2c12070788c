import { queueDeliveries } from '../deliveries/queue'
import { listEnabled } from './queries'
import { findProvider } from './registry'
import { mappedNameOf } from './scope'
import type { ForwardTrackEvent } from './track-event'
import { toPayload } from './track-payload'

/** See `ForwardTrackEvent`. */
export const forwardTrackEvent: ForwardTrackEvent = async (tx, projectId, track) => {
  const rows = await listEnabled(tx, projectId)
  const drafts = rows.flatMap((row) => {
    const kind = findProvider(row.provider)?.kind
    if ((kind !== 'ADS' && kind !== 'ANALYTICS') || mappedNameOf(row, track.eventType) === null) return []
    return [
      {
        ...{ kind: 'INTEGRATION' as const, projectId, targetId: row.id, type: track.eventType },
        ...(track.subscriberId !== null && { subscriberId: track.subscriberId }),
        payload: toPayload(tx, row.id, track, kind === 'ADS'),
      },
    ]
  })
  if (drafts.length > 0) await queueDeliveries(tx, drafts)
}
